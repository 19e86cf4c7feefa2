import { Module } from '@nestjs/common';
import { BusDesk } from './bus-desk';
import { BusReportRepository } from './bus-report.repository';

/** The bus for processes that have no access to it. */
@Module({
  providers: [BusReportRepository, BusDesk],
  exports: [BusReportRepository, BusDesk],
})
export class BusReportModule {}
