import { Module } from '@nestjs/common';
import { LinkedProvidersController } from './linked-providers.controller';
import { ProvidersController } from './providers.controller';

/** Logging in with identity providers, and linking them. */
@Module({ controllers: [ProvidersController, LinkedProvidersController] })
export class ProvidersModule {}
