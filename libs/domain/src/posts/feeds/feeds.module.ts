import { Module } from '@nestjs/common';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { RelationsModule } from '../../community/relations/relations.module';
import { FeedCountsRepository } from './feed-counts.repository';
import { FeedCountsService } from './feed-counts.service';
import { FeedRequests } from './feed-requests';
import { FeedRepository } from './feed.repository';
import { FeedsService } from './feeds.service';
import { FollowedFeedRepository } from './followed-feed.repository';
import { PostSearchRepository } from './post-search.repository';
import { PostSearch } from './post-search.service';
import { TopFeedRepository } from './top-feed.repository';

/** Pages of feeds of posts and media, and the counts of feeds. */
@Module({
  imports: [TagsModule, AuthorsModule, RelationsModule],
  providers: [
    FeedRepository,
    TopFeedRepository,
    FollowedFeedRepository,
    FeedsService,
    FeedRequests,
    FeedCountsRepository,
    FeedCountsService,
    PostSearch,
    PostSearchRepository,
  ],
  exports: [FeedsService, FeedRequests, FeedCountsService, PostSearch],
})
export class FeedsModule {}
