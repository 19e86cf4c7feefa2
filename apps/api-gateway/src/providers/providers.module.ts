import { Module } from '@nestjs/common';
import { IdentitiesService, IdentityProvidersModule, LoginsModule } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { IdentitiesController } from './identities.controller';
import { ProvidersController } from './providers.controller';

/** Logging in with identity providers. */
@Module({
  imports: [IdentityProvidersModule, LoginsModule],
  providers: [
    // What is left of logins that nobody finished.
    provideSweep('expired provider logins', IdentitiesService, async (identities) => {
      await identities.removeExpired();
      return {};
    }),
  ],
  controllers: [ProvidersController, IdentitiesController],
})
export class ProvidersModule {}
