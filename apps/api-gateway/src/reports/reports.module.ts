import { Module } from '@nestjs/common';
import { ReportsModule as DomainReportsModule } from '@vitrine/domain';
import { ReportsController } from './reports.controller';

@Module({
  imports: [DomainReportsModule],
  controllers: [ReportsController],
})
export class ReportsModule {}
