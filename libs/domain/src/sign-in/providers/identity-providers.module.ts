import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { OutgoingModule } from '../../outgoing/requests/outgoing.module';
import { IdentitiesService } from './identities.service';
import { IdentityProvidersConfig } from './identity-providers.config';
import { IdentityProviders } from './identity-providers.service';
import { IdentityRepository } from './identity.repository';
import { LoginCredentials } from './login-credentials.service';
import { ProviderHttp } from './provider-http';

/** Identity providers, the identities of accounts there, and the ways to log in to accounts. */
@Module({
  imports: [OutgoingModule],
  providers: [
    provideConfig(IdentityProvidersConfig),
    IdentitiesService,
    IdentityProviders,
    IdentityRepository,
    LoginCredentials,
    ProviderHttp,
  ],
  exports: [IdentitiesService, IdentityProviders, LoginCredentials],
})
export class IdentityProvidersModule {}
