import { Module } from '@nestjs/common';
import { MediaEditingController } from './media-editing.controller';
import { PostEditingController } from './post-editing.controller';

/** Editing of posts and media by their owners. */
@Module({ controllers: [PostEditingController, MediaEditingController] })
export class PostEditingModule {}
