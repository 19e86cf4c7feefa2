import { Module } from '@nestjs/common';
import { PendingLoginRepository } from './pending-login.repository';
import { PendingLogins } from './pending-logins.service';
import { SecondFactorRepository } from './second-factor.repository';
import { SecondFactorsService } from './second-factors.service';

/** Second factors of accounts. */
@Module({
  providers: [PendingLoginRepository, PendingLogins, SecondFactorRepository, SecondFactorsService],
  exports: [PendingLogins, SecondFactorsService],
})
export class FactorsModule {}
