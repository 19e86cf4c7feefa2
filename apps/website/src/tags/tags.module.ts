import { Module } from '@nestjs/common';
import { TagsController } from './tags.controller';

/** The tags in use, and what carries each. */
@Module({ controllers: [TagsController] })
export class TagsModule {}
