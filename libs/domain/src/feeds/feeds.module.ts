import { Module } from '@nestjs/common';
import { FeedCountsRepository } from './feed-counts.repository';
import { FeedCountsService } from './feed-counts.service';
import { FeedRepository } from './feed.repository';
import { FeedsService } from './feeds.service';

/** Pages of posts and media, and the counts by which they are found. */
@Module({
  providers: [FeedRepository, FeedsService, FeedCountsRepository, FeedCountsService],
  exports: [FeedsService, FeedCountsService],
})
export class FeedsModule {}
