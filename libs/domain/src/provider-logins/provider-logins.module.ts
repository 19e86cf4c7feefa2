import { Module } from '@nestjs/common';
import { PublicUrlsModule } from '@vitrine/runtime';
import { AdmissionModule } from '../admission/admission.module';
import { AuditLogModule } from '../audit/audit-log.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../identities/identities.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { LoginsModule } from '../logins/logins.module';
import { RegistrationModule } from '../registration/registration.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../users/users.module';
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
    RegistrationModule,
    TokensModule,
    UsersModule,
  ],
  providers: [LinkedProviders, ProviderLogins],
  exports: [LinkedProviders, ProviderLogins],
})
export class ProviderLoginsModule {}
