import { Module } from '@nestjs/common';
import { TagRepository } from './tag.repository';
import { TagsService } from './tags.service';

/** Tags of posts and media. */
@Module({ providers: [TagRepository, TagsService], exports: [TagsService] })
export class TagsModule {}
