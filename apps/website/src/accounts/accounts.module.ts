import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller';

/** Signing up, logging in and logging out. */
@Module({ controllers: [AccountsController] })
export class AccountsModule {}
