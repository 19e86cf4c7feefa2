import { Module } from '@nestjs/common';
import {
  AccountErasureModule,
  MailDeliveryModule,
  NotificationsModule,
  PasswordsModule,
  ProfilesModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AccountErasureSweep } from './account-erasure.sweep';
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
  providers: [AccountErasureSweep],
})
export class MeModule {}
