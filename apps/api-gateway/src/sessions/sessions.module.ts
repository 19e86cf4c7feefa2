import { Module } from '@nestjs/common';
import { TokensModule } from '@vitrine/domain';
import { SessionsController } from './sessions.controller';

/** The sessions of an account. */
@Module({ imports: [TokensModule], controllers: [SessionsController] })
export class SessionsModule {}
