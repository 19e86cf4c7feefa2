import { Module } from '@nestjs/common';
import { AccountSecurityModule, TokensModule } from '@vitrine/domain';
import { SessionsController } from './sessions.controller';

/** The sessions of an account. */
@Module({ imports: [AccountSecurityModule, TokensModule], controllers: [SessionsController] })
export class SessionsModule {}
