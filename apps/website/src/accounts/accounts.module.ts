import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller';

/** Ways into an account and out of it. */
@Module({ controllers: [AccountsController] })
export class AccountsModule {}
