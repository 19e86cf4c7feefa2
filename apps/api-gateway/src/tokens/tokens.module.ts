import { Module } from '@nestjs/common';
import { TokensModule as DomainTokensModule, UsersModule } from '@vitrine/domain';
import { TokensController } from './tokens.controller';

@Module({
  imports: [DomainTokensModule, UsersModule],
  controllers: [TokensController],
})
export class TokensModule {}
