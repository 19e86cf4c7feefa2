import { Module } from '@nestjs/common';
import { PreferencesController } from './preferences.controller';

/** Preferences, which are stored in the browser. */
@Module({ controllers: [PreferencesController] })
export class PreferencesModule {}
