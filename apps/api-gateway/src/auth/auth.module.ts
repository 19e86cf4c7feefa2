import { Module } from '@nestjs/common';
import {
  LoginsModule,
  MailDeliveryModule,
  PasswordsModule,
  ProofOfWorkModule,
  ProviderLoginsModule,
  AdmissionModule,
  UsersModule,
} from '@vitrine/domain';
import { AccountLinksController } from './account-links.controller';
import { AuthController } from './auth.controller';
import { SecondFactorController } from './second-factor.controller';

@Module({
  imports: [
    UsersModule,
    LoginsModule,
    PasswordsModule,
    ProofOfWorkModule,
    ProviderLoginsModule,
    AdmissionModule,
    MailDeliveryModule,
  ],
  controllers: [AuthController, AccountLinksController, SecondFactorController],
})
export class AuthModule {}
