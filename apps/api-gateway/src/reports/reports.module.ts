import { Module } from '@nestjs/common';
import { ReportsModule as DomainReportsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { ReportsController } from './reports.controller';

@Module({
  imports: [DomainReportsModule],
  controllers: [ReportsController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class ReportsModule {}
