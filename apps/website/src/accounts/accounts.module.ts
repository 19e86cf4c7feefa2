import { Module } from '@nestjs/common';
import { AccountLinksController } from './account-links.controller';
import { AccountsController } from './accounts.controller';
import { SecondFactorController } from './second-factor.controller';

/** Signing up, logging in and logging out; forgotten passwords and the links in mails. */
@Module({ controllers: [AccountsController, AccountLinksController, SecondFactorController] })
export class AccountsModule {}
