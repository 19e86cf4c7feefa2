import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { QuotaRepository } from './quota.repository';
import { QuotasConfig } from './quotas.config';
import { QuotasService } from './quotas.service';

/** How much may be stored, and how much is. */
@Module({
  imports: [AuditLogModule],
  providers: [provideConfig(QuotasConfig), QuotaRepository, QuotasService],
  exports: [QuotasService],
})
export class QuotasModule {}
