import { Module } from '@nestjs/common';
import { FollowsModule as DomainFollowsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { FollowsController } from './follows.controller';

@Module({
  imports: [DomainFollowsModule],
  controllers: [FollowsController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class FollowsModule {}
