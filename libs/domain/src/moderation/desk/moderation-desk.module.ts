import { Module } from '@nestjs/common';
import { CommentsModule } from '../../comments/comments.module';
import { MediaModule } from '../../media/media.module';
import { PostMediaModule } from '../../posts/post-media.module';
import { PostsModule } from '../../posts/posts.module';
import { ReportsModule } from '../../reports/reports.module';
import { AuthorsModule } from '../../users/authors.module';
import { ModerationModule } from '../moderation.module';
import { QueueRepository } from './queue.repository';
import { QueueService } from './queue.service';
import { RuledPostRepository } from './ruled-post.repository';
import { RulingsService } from './rulings.service';

/** What moderators work at: their queue, and their rulings. Automation needs nothing of it. */
@Module({
  imports: [
    ModerationModule,
    MediaModule,
    PostsModule,
    PostMediaModule,
    CommentsModule,
    AuthorsModule,
    ReportsModule,
  ],
  providers: [RulingsService, RuledPostRepository, QueueService, QueueRepository],
  exports: [RulingsService, QueueService, ModerationModule],
})
export class ModerationDeskModule {}
