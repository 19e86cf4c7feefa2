import { Module } from '@nestjs/common';
import { QuotasModule as DomainQuotasModule } from '@vitrine/domain';
import { AccountQuotasController } from './account-quotas.controller';
import { StorageFolding } from './storage-folding.sweep';

/** Quotas of accounts, and the counts of what is stored. */
@Module({
  imports: [DomainQuotasModule],
  controllers: [AccountQuotasController],
  providers: [StorageFolding],
})
export class QuotasModule {}
