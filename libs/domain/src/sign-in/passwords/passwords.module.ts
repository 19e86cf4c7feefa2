import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { FactorsModule } from '../factors/factors.module';
import { MailsModule } from '../../outgoing/mails/mails.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { WebhooksModule } from '../../outgoing/webhooks/webhooks.module';
import { PasswordChanges } from './password-changes.service';
import { PasswordStrength } from './password-strength';
import { PasswordsConfig } from './passwords.config';
import { ResetLinks } from './reset-links.service';
import { ResetRequestRepository } from './reset-request.repository';

/** Which passwords may be chosen; new passwords, and the links with which forgotten ones are replaced. */
@Module({
  imports: [
    AuditLogModule,
    FactorsModule,
    IdentityProvidersModule,
    MailsModule,
    TokensModule,
    UsersModule,
    WebhooksModule,
  ],
  providers: [
    provideConfig(PasswordsConfig),
    PasswordChanges,
    PasswordStrength,
    ResetLinks,
    ResetRequestRepository,
  ],
  exports: [PasswordChanges, PasswordStrength, ResetLinks],
})
export class PasswordsModule {}
