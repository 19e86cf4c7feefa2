import { Module } from '@nestjs/common';
import {
  LoginsModule,
  MailDeliveryModule,
  PasswordChangesModule,
  ProofOfWorkModule,
  ProviderLoginsModule,
  RegistrationModule,
  UsersModule,
} from '@vitrine/domain';
import { AccountLinksController } from './account-links.controller';
import { AuthController } from './auth.controller';
import { SecondFactorController } from './second-factor.controller';

@Module({
  imports: [
    UsersModule,
    LoginsModule,
    PasswordChangesModule,
    ProofOfWorkModule,
    ProviderLoginsModule,
    RegistrationModule,
    MailDeliveryModule,
  ],
  controllers: [AuthController, AccountLinksController, SecondFactorController],
})
export class AuthModule {}
