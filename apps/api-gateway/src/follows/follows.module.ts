import { Module } from '@nestjs/common';
import { FollowsModule as DomainFollowsModule } from '@vitrine/domain';
import { FollowsController } from './follows.controller';

@Module({
  imports: [DomainFollowsModule],
  controllers: [FollowsController],
})
export class FollowsModule {}
