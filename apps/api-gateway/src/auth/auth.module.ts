import { Module } from '@nestjs/common';
import {
  AdmissionModule,
  LoginsModule,
  MailDeliveryModule,
  PasswordsModule,
  ProofOfWorkModule,
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
    AdmissionModule,
    MailDeliveryModule,
  ],
  controllers: [AuthController, AccountLinksController, SecondFactorController],
})
export class AuthModule {}
