import { Module } from '@nestjs/common';
import { PostsController } from './posts.controller';

/** The pages of posts. */
@Module({ controllers: [PostsController] })
export class PostsModule {}
