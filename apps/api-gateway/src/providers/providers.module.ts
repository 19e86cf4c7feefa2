import { Module } from '@nestjs/common';
import { IdentitiesModule, ProviderLoginsModule } from '@vitrine/domain';
import { ExpiredLoginsSweep } from './expired-logins.sweep';
import { IdentitiesController } from './identities.controller';
import { ProvidersController } from './providers.controller';

/** Logging in with identity providers. */
@Module({
  imports: [IdentitiesModule, ProviderLoginsModule],
  providers: [ExpiredLoginsSweep],
  controllers: [ProvidersController, IdentitiesController],
})
export class ProvidersModule {}
