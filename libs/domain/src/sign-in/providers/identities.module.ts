import { Module } from '@nestjs/common';
import { IdentityProvidersModule } from './identity-providers.module';
import { IdentitiesService } from './identities.service';
import { IdentityRepository } from './identity.repository';
import { LoginCredentials } from './login-credentials.service';

/** Identities of accounts at providers, and the ways to log in to accounts. */
@Module({
  imports: [IdentityProvidersModule],
  providers: [IdentityRepository, IdentitiesService, LoginCredentials],
  exports: [IdentitiesService, LoginCredentials],
})
export class IdentitiesModule {}
