import { Module } from '@nestjs/common';
import { FeedsModule, RanksModule, RanksService } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { FeedFoldingSweep } from './feed-folding.sweep';
import { RankingSweep } from './ranking.sweep';

/** Keeps the counts of feeds and the ranks of their items current. */
@Module({
  imports: [FeedsModule, RanksModule],
  providers: [
    FeedFoldingSweep,
    RankingSweep,
    // Readers skip the items that have left a period since the last run.
    provideSweep(
      'ages of ranks',
      RanksService,
      async (ranks) => {
        await ranks.ageRanks();
        return {};
      },
      { intervalSeconds: 60 },
    ),
  ],
  exports: [FeedFoldingSweep, RankingSweep],
})
export class FeedSweepsModule {}
