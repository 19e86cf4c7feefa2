import { Module } from '@nestjs/common';
import { AccountDeletionModule } from '../account-deletion/account-deletion.module';
import { AccountStatesModule } from '../account-states/account-states.module';
import { AuditLogModule } from '../audit/audit-log.module';
import { CommentsModule } from '../comments/comments.module';
import { FollowsModule } from '../follows/follows.module';
import { MailsModule } from '../mails/mails.module';
import { MediaModule } from '../media/media.module';
import { PostsModule } from '../posts/posts.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { QuotasModule } from '../quotas/quotas.module';
import { RelationsModule } from '../relations/relations.module';
import { ReportsModule } from '../reports/reports.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { AccountErasure } from './account-erasure';
import { UnerasedAccounts } from './unerased-accounts.service';

/** The erasure of deleted accounts; separate from their deletion because it needs everything that users can make. */
@Module({
  imports: [
    AccountDeletionModule,
    AccountStatesModule,
    AuditLogModule,
    MailsModule,
    QuotasModule,
    TokensModule,
    UsersModule,
    MediaModule,
    PostsModule,
    CommentsModule,
    FollowsModule,
    NotificationsModule,
    RelationsModule,
    ReportsModule,
  ],
  providers: [AccountErasure, UnerasedAccounts],
  exports: [AccountErasure],
})
export class AccountErasureModule {}
