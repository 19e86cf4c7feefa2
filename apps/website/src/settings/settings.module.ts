import { Module } from '@nestjs/common';
import { AvatarController } from './avatar.controller';
import { SettingsController } from './settings.controller';
import { TokensController } from './tokens.controller';

/** An account's own business. */
@Module({ controllers: [TokensController, AvatarController, SettingsController] })
export class SettingsModule {}
