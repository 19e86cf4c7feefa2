import { Module } from '@nestjs/common';
import { BusRequests } from './bus-requests';
import { BusReportRepository } from './bus-report.repository';

/** The bus for processes that have no access to it. */
@Module({
  providers: [BusReportRepository, BusRequests],
  exports: [BusReportRepository, BusRequests],
})
export class BusReportModule {}
