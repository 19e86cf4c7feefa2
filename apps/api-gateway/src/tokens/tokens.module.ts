import { Module } from '@nestjs/common';
import { TokensModule as DomainTokensModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { TokensController } from './tokens.controller';

@Module({
  imports: [DomainTokensModule],
  controllers: [TokensController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class TokensModule {}
