import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller';
import { SecondFactorController } from './second-factor.controller';

/** Signing up, logging in and logging out. */
@Module({ controllers: [AccountsController, SecondFactorController] })
export class AccountsModule {}
