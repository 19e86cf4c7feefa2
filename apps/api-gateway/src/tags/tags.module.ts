import { Module } from '@nestjs/common';
import { TagsModule as DomainTagsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { TagsController } from './tags.controller';

@Module({
  imports: [DomainTagsModule],
  controllers: [TagsController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class TagsModule {}
