import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { AuthenticatorAppRepository } from './authenticator-app.repository';
import { AuthenticatorApps } from './authenticator-apps.service';
import { FactorsConfig } from './factors.config';
import { PasskeyRepository } from './passkey.repository';
import { Passkeys } from './passkeys.service';
import { PendingLoginRepository } from './pending-login.repository';
import { PendingLogins } from './pending-logins.service';
import { RecoveryCodes } from './recovery-codes.service';
import { SecondFactorRepository } from './second-factor.repository';
import { SecondFactorsService } from './second-factors.service';

/** Second factors of accounts. */
@Module({
  providers: [
    provideConfig(FactorsConfig),
    AuthenticatorAppRepository,
    AuthenticatorApps,
    PasskeyRepository,
    Passkeys,
    PendingLoginRepository,
    PendingLogins,
    RecoveryCodes,
    SecondFactorRepository,
    SecondFactorsService,
  ],
  exports: [AuthenticatorApps, Passkeys, PendingLogins, RecoveryCodes, SecondFactorsService],
})
export class FactorsModule {}
