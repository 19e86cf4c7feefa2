import { Module } from '@nestjs/common';
import { FeedsModule, RanksModule } from '@vitrine/domain';
import { FeedFoldingSweep } from './feed-folding.sweep';
import { AgingSweep } from './aging.sweep';
import { RankingSweep } from './ranking.sweep';

/** Keeps the counts of feeds and the ranks of their items current. */
@Module({
  imports: [FeedsModule, RanksModule],
  providers: [FeedFoldingSweep, RankingSweep, AgingSweep],
  exports: [FeedFoldingSweep, RankingSweep],
})
export class FeedSweepsModule {}
