import { Module } from '@nestjs/common';
import {
  AccountErasure,
  AccountErasureModule,
  MailDeliveryModule,
  NotificationsModule,
  PasswordsModule,
  ProfilesModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { EmailController } from './email.controller';
import { MeController } from './me.controller';

@Module({
  imports: [
    UsersModule,
    TokensModule,
    AccountErasureModule,
    NotificationsModule,
    PasswordsModule,
    ProfilesModule,
    MailDeliveryModule,
  ],
  controllers: [MeController, EmailController],
  providers: [
    // Finishes erasures that another request or process has started.
    provideSweep(
      'deleted accounts',
      AccountErasure,
      async (erasure, mayContinue) => ({ erased: await erasure.eraseLeftBehind(mayContinue) }),
      { intervalSeconds: 20, startsAtOnce: true },
    ),
  ],
})
export class MeModule {}
