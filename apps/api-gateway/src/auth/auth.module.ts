import { Module } from '@nestjs/common';
import {
  MailDeliveryModule,
  MediaModule,
  RegistrationModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AccountLinksController } from './account-links.controller';
import { AuthController } from './auth.controller';

@Module({
  imports: [UsersModule, RegistrationModule, TokensModule, MediaModule, MailDeliveryModule],
  controllers: [AuthController, AccountLinksController],
})
export class AuthModule {}
