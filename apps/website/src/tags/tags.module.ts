import { Module } from '@nestjs/common';
import { TagsController } from './tags.controller';

/** The tags in use, and the posts of each tag. */
@Module({ controllers: [TagsController] })
export class TagsModule {}
