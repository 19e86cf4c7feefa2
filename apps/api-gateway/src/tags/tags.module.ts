import { Module } from '@nestjs/common';
import { TagsModule as DomainTagsModule } from '@vitrine/domain';
import { TagsController } from './tags.controller';

@Module({
  imports: [DomainTagsModule],
  controllers: [TagsController],
})
export class TagsModule {}
