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
import { CountersModule } from '@vitrine/counters';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { AccountSecurity } from './account-security.service';
import { LoginThrottle } from './login-throttle';
import { ReauthenticationService } from './reauthentication.service';

/** Second factors of accounts, and the proofs before sensitive changes. */
@Module({
  imports: [CountersModule, IdentityProvidersModule, TokensModule, UsersModule],
  providers: [
    provideConfig(FactorsConfig),
    AccountSecurity,
    LoginThrottle,
    ReauthenticationService,
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
  exports: [
    AccountSecurity,
    LoginThrottle,
    ReauthenticationService,
    Passkeys,
    PendingLogins,
    RecoveryCodes,
    SecondFactorsService,
  ],
})
export class FactorsModule {}
