import { Module } from '@nestjs/common';
import { FeedController } from './feed.controller';

/** What there is to see. */
@Module({ controllers: [FeedController] })
export class FeedModule {}
