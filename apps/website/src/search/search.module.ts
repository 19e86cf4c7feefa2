import { Module } from '@nestjs/common';
import { SearchController } from './search.controller';

/** Posts and media by the words in them. */
@Module({ controllers: [SearchController] })
export class SearchModule {}
