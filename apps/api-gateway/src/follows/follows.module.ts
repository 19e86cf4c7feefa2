import { Module } from '@nestjs/common';
import { FollowsModule as DomainFollowsModule, PostsModule } from '@vitrine/domain';
import { FeedController } from './feed.controller';
import { FollowsController } from './follows.controller';

@Module({
  imports: [DomainFollowsModule, PostsModule],
  controllers: [FollowsController, FeedController],
})
export class FollowsModule {}
