import { Module } from '@nestjs/common';
import { FeedsModule as DomainFeedsModule, RanksModule } from '@vitrine/domain';
import { FeedFolding } from './feed-folding';
import { AgingSweep, RankingSweep } from './ranking.sweep';

/** Keeps the counts of feeds and the ranks of their items current. */
@Module({
  imports: [DomainFeedsModule, RanksModule],
  providers: [FeedFolding, RankingSweep, AgingSweep],
})
export class FeedsModule {}
