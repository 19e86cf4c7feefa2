import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { provideConfig } from '@vitrine/runtime';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { FactorPolicyConfig } from './factor-policy.config';
import { BearerCache } from './bearer-cache';
import { TokenEntity } from './token.entity';
import { TokenRepository } from './token.repository';
import { TokensService } from './tokens.service';

/** Tokens of every kind. */
@Module({
  imports: [TypeOrmModule.forFeature([TokenEntity]), AuthorsModule],
  providers: [provideConfig(FactorPolicyConfig), BearerCache, TokenRepository, TokensService],
  exports: [FactorPolicyConfig, TokensService],
})
export class TokensModule {}
