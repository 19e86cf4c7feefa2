import { Module } from '@nestjs/common';
import { PublicUrlsModule } from '@vitrine/runtime';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { AccountStatesModule } from '../../accounts/states/account-states.module';
import { UsersModule } from '../../accounts/users/users.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { TokensModule } from '../tokens/tokens.module';
import { LinkedProviders } from './linked-providers.service';
import { LoginSessions } from './login-sessions.service';
import { LoginsService } from './logins.service';
import { ProviderLogins } from './provider-logins.service';

/** Logging in, with passwords, passkeys, second factors and identity providers. */
@Module({
  imports: [
    AccountStatesModule,
    AdmissionModule,
    AuditLogModule,
    FactorsModule,
    IdentityProvidersModule,
    PublicUrlsModule,
    TokensModule,
    UsersModule,
  ],
  providers: [LinkedProviders, LoginSessions, LoginsService, ProviderLogins],
  exports: [LinkedProviders, LoginsService, ProviderLogins],
})
export class LoginsModule {}
