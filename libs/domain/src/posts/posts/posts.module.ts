import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { FeedsModule } from '../feeds/feeds.module';
import { RanksModule } from '../feeds/ranks.module';
import { MediaModule } from '../../media/items/media.module';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { RelationsModule } from '../../community/relations/relations.module';
import { NotificationsModule } from '../../community/notifications/notifications.module';
import { VotesModule } from '../../community/votes/votes.module';
import { PostEditingService } from './post-editing.service';
import { PostMediaModule } from '../rows/post-media.module';
import { PostStatisticsRepository } from './post-statistics.repository';
import { PostViewRepository } from './post-view.repository';
import { PostsService } from './posts.service';
import { ViewCounter } from './view-counter';
import { PostRowsModule } from '../rows/post-rows.module';
import { WholePostLock } from './whole-post-lock';
import { PostRulings } from './post-rulings';

/** The use cases of posts. */
@Module({
  imports: [
    OutboxModule,
    MediaModule,
    PostRowsModule,
    PostMediaModule,
    AuthorsModule,
    RelationsModule,
    TagsModule,
    FeedsModule,
    RanksModule,
    NotificationsModule,
    VotesModule,
    DecisionLogModule,
  ],
  providers: [
    PostsService,
    PostEditingService,
    PostRulings,
    WholePostLock,
    PostViewRepository,
    PostStatisticsRepository,
    ViewCounter,
  ],
  exports: [PostsService, PostEditingService, PostRulings, WholePostLock, ViewCounter],
})
export class PostsModule {}
