import { Module } from '@nestjs/common';
import { QuotasModule as DomainQuotasModule } from '@vitrine/domain';
import { AccountQuotasController } from './account-quotas.controller';
import { StorageFoldingSweep } from './storage-folding.sweep';

/** Quotas of accounts, and the counts of what is stored. */
@Module({
  imports: [DomainQuotasModule],
  controllers: [AccountQuotasController],
  providers: [StorageFoldingSweep],
})
export class QuotasModule {}
