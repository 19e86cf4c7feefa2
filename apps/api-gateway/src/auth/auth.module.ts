import { Module } from '@nestjs/common';
import {
  MediaModule,
  ProviderLoginsModule,
  RegistrationModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AuthController } from './auth.controller';

@Module({
  imports: [UsersModule, ProviderLoginsModule, RegistrationModule, TokensModule, MediaModule],
  controllers: [AuthController],
})
export class AuthModule {}
