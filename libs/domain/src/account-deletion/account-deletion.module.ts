import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AdmissionModule } from '../admission/admission.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../identities/identities.module';
import { LoginHistoryModule } from '../login-history/login-history.module';
import { MailsModule } from '../mails/mails.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AccountDeletion } from './account-deletion.service';
import { AccountRemoval } from './account-removal.service';

/** The deletion of accounts. */
@Module({
  imports: [
    AdmissionModule,
    FactorsModule,
    IdentitiesModule,
    LoginHistoryModule,
    MailsModule,
    OutboxModule,
    TokensModule,
    UsersModule,
    WebhooksModule,
  ],
  providers: [AccountDeletion, AccountRemoval],
  exports: [AccountDeletion, AccountRemoval],
})
export class AccountDeletionModule {}
