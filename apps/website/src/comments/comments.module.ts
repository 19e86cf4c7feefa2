import { Module } from '@nestjs/common';

/** Talking about posts. */
@Module({})
export class CommentsModule {}
