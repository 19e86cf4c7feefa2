import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthorsModule } from '../authors/authors.module';
import { BearerCache } from './bearer-cache';
import { TokenEntity } from './token.entity';
import { TokenRepository } from './token.repository';
import { TokensService } from './tokens.service';

/** Tokens of every kind. */
@Module({
  imports: [TypeOrmModule.forFeature([TokenEntity]), AuthorsModule],
  providers: [BearerCache, TokenRepository, TokensService],
  exports: [TokensService],
})
export class TokensModule {}
