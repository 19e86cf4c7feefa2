import { Module } from '@nestjs/common';
import { MediaEditingController } from './media-editing.controller';
import { PostEditingController } from './post-editing.controller';

/** What owners do with their posts and media. */
@Module({ controllers: [PostEditingController, MediaEditingController] })
export class PostEditingModule {}
