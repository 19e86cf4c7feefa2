import { Module } from '@nestjs/common';
import { PostsController } from './posts.controller';

/** The page of a post, which most visitors see first. */
@Module({ controllers: [PostsController] })
export class PostsModule {}
