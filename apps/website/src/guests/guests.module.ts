import { Module } from '@nestjs/common';
import { GuestsController } from './guests.controller';

/** The private pages of those who upload without an account. */
@Module({ controllers: [GuestsController] })
export class GuestsModule {}
