import { Module } from '@nestjs/common';
import { AccountStatesModule } from '../../accounts/states/account-states.module';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../providers/identities.module';
import { LoginHistoryModule } from '../history/login-history.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { LoginAttempts } from './login-attempts.service';
import { LoginSessions } from './login-sessions.service';
import { LoginsService } from './logins.service';
import { PasskeyProofs } from './passkey-proofs.service';
import { SecondFactorLogins } from './second-factor-logins.service';

/** Logging in, with passwords, passkeys and second factors. */
@Module({
  imports: [
    AccountStatesModule,
    AdmissionModule,
    FactorsModule,
    IdentitiesModule,
    IdentityProvidersModule,
    LoginHistoryModule,
    TokensModule,
    UsersModule,
  ],
  providers: [LoginAttempts, LoginSessions, LoginsService, PasskeyProofs, SecondFactorLogins],
  exports: [LoginSessions, LoginsService, SecondFactorLogins],
})
export class LoginsModule {}
