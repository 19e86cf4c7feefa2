import { Module } from '@nestjs/common';
import { ProviderLoginsModule } from '@vitrine/domain';
import { IdentitiesController } from './identities.controller';
import { ProvidersController } from './providers.controller';

/** Logging in with identity providers. */
@Module({
  imports: [ProviderLoginsModule],
  controllers: [ProvidersController, IdentitiesController],
})
export class ProvidersModule {}
