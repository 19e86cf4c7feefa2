import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller';

/** Reports to the moderators. */
@Module({ controllers: [ReportsController] })
export class ReportsModule {}
