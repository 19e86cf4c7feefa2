import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { provideConfig } from '@vitrine/runtime';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { FactorPolicyConfig } from './factor-policy.config';
import { BearerCache } from './bearer-cache';
import { TokenEntity } from './token.entity';
import { TokenRepository } from './token.repository';
import { TokensService } from './tokens.service';
import { LoginHistory } from './login-history.service';
import { LoginHistoryRepository } from './login-history.repository';

/** Tokens of every kind, and the history of logins. */
@Module({
  imports: [TypeOrmModule.forFeature([TokenEntity]), AuthorsModule],
  providers: [
    provideConfig(FactorPolicyConfig),
    BearerCache,
    LoginHistory,
    LoginHistoryRepository,
    TokenRepository,
    TokensService,
  ],
  exports: [FactorPolicyConfig, LoginHistory, TokensService],
})
export class TokensModule {}
