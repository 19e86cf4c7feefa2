import { Module } from '@nestjs/common';
import { CommentsModule } from '../../community/comments/comments.module';
import { MediaModule } from '../../media/items/media.module';
import { PostsModule } from '../../posts/posts/posts.module';
import { NotificationsModule } from '../../community/notifications/notifications.module';
import { ReportsModule } from '../reports/reports.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { ModerationModule } from './moderation.module';
import { QueueRepository } from './queue.repository';
import { QueueService } from './queue.service';
import { RulingsService } from './rulings.service';

/** The moderators' work: the moderation queue and rulings. */
@Module({
  imports: [
    ModerationModule,
    MediaModule,
    PostsModule,
    CommentsModule,
    AuthorsModule,
    NotificationsModule,
    ReportsModule,
  ],
  providers: [RulingsService, QueueService, QueueRepository],
  exports: [RulingsService, QueueService, ModerationModule],
})
export class ReviewModule {}
