import { Module } from '@nestjs/common';
import { FeedsModule, ProfilesModule, TagsModule } from '@vitrine/domain';
import { SearchController } from './search.controller';

@Module({ imports: [ProfilesModule, FeedsModule, TagsModule], controllers: [SearchController] })
export class SearchModule {}
