import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { PostsModule } from '../../posts/posts/posts.module';
import { AccountStatesModule } from '../../accounts/states/account-states.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelationsModule } from '../relations/relations.module';
import { VotesModule } from '../votes/votes.module';
import { CommentListRepository } from './comment-list.repository';
import { CommentListsService } from './comment-lists.service';
import { CommentRepository } from './comment.repository';
import { CommentsService } from './comments.service';

/** Comments on posts. */
@Module({
  imports: [
    AuditLogModule,
    PostsModule,
    AccountStatesModule,
    AuthorsModule,
    NotificationsModule,
    RelationsModule,
    VotesModule,
    OutboxModule,
  ],
  providers: [CommentRepository, CommentListRepository, CommentsService, CommentListsService],
  exports: [CommentsService, CommentListsService],
})
export class CommentsModule {}
