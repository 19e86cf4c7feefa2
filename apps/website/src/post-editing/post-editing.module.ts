import { Module } from '@nestjs/common';

/** What owners do with their posts and media. */
@Module({})
export class PostEditingModule {}
