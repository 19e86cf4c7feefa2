import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { OutgoingModule } from '../../outgoing/requests/outgoing.module';
import { IdentityProvidersConfig } from './identity-providers.config';
import { IdentityProviders } from './identity-providers.service';
import { ProviderHttp } from './provider-http';

/** The protocol with identity providers; it stores nothing. */
@Module({
  imports: [OutgoingModule],
  providers: [provideConfig(IdentityProvidersConfig), IdentityProviders, ProviderHttp],
  exports: [IdentityProviders],
})
export class IdentityProvidersModule {}
