import { Module } from '@nestjs/common';
import { MediaModule, RegistrationModule, TokensModule, UsersModule } from '@vitrine/domain';
import { AuthController } from './auth.controller';

@Module({
  imports: [UsersModule, RegistrationModule, TokensModule, MediaModule],
  controllers: [AuthController],
})
export class AuthModule {}
