import { Module } from '@nestjs/common';
import { SearchController } from './search.controller';

/** Search for posts and media. */
@Module({ controllers: [SearchController] })
export class SearchModule {}
