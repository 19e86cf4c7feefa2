import { Module } from '@nestjs/common';
import { TokensModule as DomainTokensModule } from '@vitrine/domain';
import { TokensController } from './tokens.controller';

@Module({ imports: [DomainTokensModule], controllers: [TokensController] })
export class TokensModule {}
