import { Module } from '@nestjs/common';
import { FactorsModule, TokensModule } from '@vitrine/domain';
import { SecurityController } from './security.controller';
import { SessionsController } from './sessions.controller';
import { TokensController } from './tokens.controller';

/** The second factors, sessions and API tokens of an account. */
@Module({
  imports: [FactorsModule, TokensModule],
  controllers: [SecurityController, SessionsController, TokensController],
})
export class SecurityModule {}
