import { Module } from '@nestjs/common';
import { PublicUrlsModule } from '@vitrine/runtime';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../providers/identities.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { LoginsModule } from './logins.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { LinkedProviders } from './linked-providers.service';
import { ProviderLogins } from './provider-logins.service';

/** Logging in, signing up and linking with identity providers. */
@Module({
  imports: [
    AdmissionModule,
    AuditLogModule,
    FactorsModule,
    IdentitiesModule,
    IdentityProvidersModule,
    LoginsModule,
    PublicUrlsModule,
    TokensModule,
    UsersModule,
  ],
  providers: [LinkedProviders, ProviderLogins],
  exports: [LinkedProviders, ProviderLogins],
})
export class ProviderLoginsModule {}
