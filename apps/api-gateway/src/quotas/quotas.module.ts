import { Module } from '@nestjs/common';
import { AdministrationModule, QuotasModule as DomainQuotasModule } from '@vitrine/domain';
import { AccountQuotasController } from './account-quotas.controller';
import { StorageFoldingSweep } from './storage-folding.sweep';

/** Quotas of accounts, and the counts of what is stored. */
@Module({
  imports: [AdministrationModule, DomainQuotasModule],
  controllers: [AccountQuotasController],
  providers: [StorageFoldingSweep],
  exports: [StorageFoldingSweep],
})
export class QuotasModule {}
