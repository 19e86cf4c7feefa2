import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { FeedsModule } from '../feeds/feeds.module';
import { MediaModule } from '../media/media.module';
import { DecisionLogModule } from '../decisions/decision-log.module';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../authors/authors.module';
import { RelationsModule } from '../relations/relations.module';
import { VotesModule } from '../votes/votes.module';
import { PostEditingService } from './post-editing.service';
import { PostMediaModule } from '../post-media/post-media.module';
import { PostViewRepository } from './post-view.repository';
import { PostsService } from './posts.service';
import { ViewCounter } from './view-counter';
import { PostRowsModule } from '../post-rows/post-rows.module';
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
    VotesModule,
    DecisionLogModule,
  ],
  providers: [PostsService, PostEditingService, PostRulings, WholePostLock, PostViewRepository, ViewCounter],
  exports: [PostsService, PostEditingService, PostRulings, WholePostLock, ViewCounter],
})
export class PostsModule {}
