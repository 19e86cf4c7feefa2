import { Module } from '@nestjs/common';
import {
  MediaModule,
  ProofOfWorkModule,
  ProviderLoginsModule,
  RegistrationModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { AuthController } from './auth.controller';
import { SecondFactorController } from './second-factor.controller';

@Module({
  imports: [
    UsersModule,
    ProofOfWorkModule,
    ProviderLoginsModule,
    RegistrationModule,
    TokensModule,
    MediaModule,
  ],
  controllers: [AuthController, SecondFactorController],
})
export class AuthModule {}
