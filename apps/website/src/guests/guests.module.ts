import { Module } from '@nestjs/common';
import { GuestsController } from './guests.controller';

/** The private pages of guests. */
@Module({ controllers: [GuestsController] })
export class GuestsModule {}
