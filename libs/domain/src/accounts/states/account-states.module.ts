import { Module } from '@nestjs/common';
import { AccountRestrictionRepository } from './account-restriction.repository';
import { AccountStatesService } from './account-states.service';
import { RelistingRepository } from './relisting.repository';

/** The states of accounts; separate from `UsersModule` because media, posts and comments need them. */
@Module({
  providers: [AccountRestrictionRepository, AccountStatesService, RelistingRepository],
  exports: [AccountStatesService],
})
export class AccountStatesModule {}
