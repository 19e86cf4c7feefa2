import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module';
import { CommentsModule } from '../comments/comments.module';
import { FollowsModule } from '../follows/follows.module';
import { MediaModule } from '../media/media.module';
import { PostsModule } from '../posts/posts.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelationsModule } from '../relations/relations.module';
import { ReportsModule } from '../reports/reports.module';
import { UsersModule } from '../users/users.module';
import { AccountErasure } from './account-erasure';

/** The deletion of accounts; separate from `UsersModule` because it needs everything that users can make. */
@Module({
  imports: [
    AuditLogModule,
    UsersModule,
    MediaModule,
    PostsModule,
    CommentsModule,
    FollowsModule,
    NotificationsModule,
    RelationsModule,
    ReportsModule,
  ],
  providers: [AccountErasure],
  exports: [AccountErasure],
})
export class AccountErasureModule {}
