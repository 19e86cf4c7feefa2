import { Module } from '@nestjs/common';
import { CommentsController } from './comments.controller';

/** Talking about posts. */
@Module({ controllers: [CommentsController] })
export class CommentsModule {}
