import { Module } from '@nestjs/common';
import {
  MediaModule,
  ProofOfWorkModule,
  RegistrationModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AuthController } from './auth.controller';

@Module({
  imports: [UsersModule, ProofOfWorkModule, RegistrationModule, TokensModule, MediaModule],
  controllers: [AuthController],
})
export class AuthModule {}
