import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AdmissionModule } from '../admission/admission.module';
import { FactorsModule } from '../../sign-in/factors/factors.module';
import { MailsModule } from '../../outgoing/mails/mails.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { WebhooksModule } from '../../outgoing/webhooks/webhooks.module';
import { AccountDeletion } from './account-deletion.service';
import { AccountRemoval } from './account-removal.service';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';

/** The deletion of accounts. */
@Module({
  imports: [
    AdmissionModule,
    FactorsModule,
    IdentityProvidersModule,
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
