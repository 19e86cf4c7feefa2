import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/messaging';
import { FeedsModule } from '../feeds/feeds.module';
import { MediaModule } from '../media/media.module';
import { DecisionLogModule } from '../moderation/decision-log.module';
import { TagsModule } from '../tags/tags.module';
import { AuthorsModule } from '../users/authors.module';
import { VotesModule } from '../votes/votes.module';
import { PostEditingService } from './post-editing.service';
import { PostMediaModule } from './post-media.module';
import { PostViewRepository } from './post-view.repository';
import { PostEntity } from './post.entity';
import { PostRepository } from './post.repository';
import { PostsService } from './posts.service';
import { ViewCounter } from './view-counter';

/** Posts: their rows, rules and use cases. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PostEntity]),
    OutboxModule,
    MediaModule,
    PostMediaModule,
    AuthorsModule,
    TagsModule,
    FeedsModule,
    VotesModule,
    DecisionLogModule,
  ],
  providers: [PostsService, PostEditingService, PostRepository, PostViewRepository, ViewCounter],
  exports: [PostsService, PostEditingService, ViewCounter],
})
export class PostsModule {}
