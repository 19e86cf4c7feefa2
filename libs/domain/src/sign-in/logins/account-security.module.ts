import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module';
import { IdentitiesModule } from '../providers/identities.module';
import { LoginHistoryModule } from '../history/login-history.module';
import { TokensModule } from '../tokens/tokens.module';
import { UsersModule } from '../../accounts/users/users.module';
import { AccountSecurity } from './account-security.service';

/** Turning second factors on and off, and the history of logins. */
@Module({
  imports: [FactorsModule, IdentitiesModule, LoginHistoryModule, TokensModule, UsersModule],
  providers: [AccountSecurity],
  exports: [AccountSecurity],
})
export class AccountSecurityModule {}
