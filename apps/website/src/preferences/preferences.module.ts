import { Module } from '@nestjs/common';
import { PreferencesController } from './preferences.controller';

/** What a browser remembers of its visitor's wishes. */
@Module({ controllers: [PreferencesController] })
export class PreferencesModule {}
