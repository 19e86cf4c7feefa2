import { Module } from '@nestjs/common';
import { AccountStatesModule } from '../../accounts/states/account-states.module';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../providers/identities.module';
import { LoginHistoryModule } from '../history/login-history.module';
import { IdentityProvidersModule } from '../providers/identity-providers.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { LoginSessions } from './login-sessions.service';
import { LoginsService } from './logins.service';

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
  providers: [LoginSessions, LoginsService],
  exports: [LoginSessions, LoginsService],
})
export class LoginsModule {}
