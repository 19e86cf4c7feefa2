import { Module } from '@nestjs/common';
import { TagsModule } from '../tags/tags.module';
import { RankRepository } from './rank.repository';
import { RanksService } from './ranks.service';

/** The ranks of posts and media in feeds with `sort=top`. */
@Module({ imports: [TagsModule], providers: [RankRepository, RanksService], exports: [RanksService] })
export class RanksModule {}
