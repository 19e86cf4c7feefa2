import { Module } from '@nestjs/common';
import { FeedsModule as DomainFeedsModule } from '@vitrine/domain';
import { FeedFolding } from './feed-folding';

/** Keeps the counts of feeds current. */
@Module({ imports: [DomainFeedsModule], providers: [FeedFolding] })
export class FeedsModule {}
