import { Module } from '@nestjs/common';
import { AvatarController } from './avatar.controller';
import { InvitesController } from './invites.controller';
import { SecurityController } from './security.controller';
import { SessionsController } from './sessions.controller';
import { SettingsController } from './settings.controller';
import { TokensController } from './tokens.controller';
import { WebhooksController } from './webhooks.controller';

/** The settings of an account. */
@Module({
  controllers: [
    TokensController,
    WebhooksController,
    InvitesController,
    AvatarController,
    SecurityController,
    SessionsController,
    SettingsController,
  ],
})
export class SettingsModule {}
