import { Module } from '@nestjs/common';
import { AccountDeletionModule } from './account-deletion.module';
import { AccountStatesModule } from '../states/account-states.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { CollectionsModule } from '../../community/collections/collections.module';
import { CommentsModule } from '../../community/comments/comments.module';
import { FollowsModule } from '../../community/follows/follows.module';
import { MailsModule } from '../../outgoing/mails/mails.module';
import { MediaModule } from '../../media/items/media.module';
import { PostsModule } from '../../posts/posts/posts.module';
import { NotificationsModule } from '../../community/notifications/notifications.module';
import { QuotasModule } from '../quotas/quotas.module';
import { RelationsModule } from '../../community/relations/relations.module';
import { ReportsModule } from '../../moderation/reports/reports.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { AuthorsModule } from '../authors/authors.module';
import { PostMediaModule } from '../../posts/rows/post-media.module';
import { AccountErasure } from './account-erasure';
import { GuestAdoption } from './guest-adoption.service';
import { UnerasedAccounts } from './unerased-accounts.service';

/** The erasure of deleted accounts; separate from their deletion because it needs everything that users can make. */
@Module({
  imports: [
    AccountDeletionModule,
    AccountStatesModule,
    AuditLogModule,
    AuthorsModule,
    PostMediaModule,
    MailsModule,
    QuotasModule,
    TokensModule,
    UsersModule,
    MediaModule,
    PostsModule,
    CollectionsModule,
    CommentsModule,
    FollowsModule,
    NotificationsModule,
    RelationsModule,
    ReportsModule,
  ],
  providers: [AccountErasure, GuestAdoption, UnerasedAccounts],
  exports: [AccountErasure, GuestAdoption],
})
export class AccountErasureModule {}
