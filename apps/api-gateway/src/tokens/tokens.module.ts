import { Module } from '@nestjs/common';
import { TokensModule as DomainTokensModule, UsersModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { TokensController } from './tokens.controller';

@Module({
  imports: [DomainTokensModule, UsersModule],
  controllers: [TokensController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class TokensModule {}
