import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller';

/** What visitors tell moderators. */
@Module({ controllers: [ReportsController] })
export class ReportsModule {}
