import { Module } from '@nestjs/common';
import { FollowsModule, TagsModule as DomainTagsModule } from '@vitrine/domain';
import { TagsController } from './tags.controller';

@Module({
  imports: [DomainTagsModule, FollowsModule],
  controllers: [TagsController],
})
export class TagsModule {}
