import { Module } from '@nestjs/common';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLog } from './audit-log.service';

/** The log of everything that staff does. */
@Module({
  providers: [AuditLogRepository, AuditLog],
  exports: [AuditLog],
})
export class AuditLogModule {}
