import { Module } from '@nestjs/common';
import { FeedController } from './feed.controller';

/** The home page: the feed of all posts. */
@Module({ controllers: [FeedController] })
export class FeedModule {}
