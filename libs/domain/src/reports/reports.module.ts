import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module';
import { MediaModule } from '../media/media.module';
import { PostsModule } from '../posts/posts.module';
import { AuthorsModule } from '../authors/authors.module';
import { ReportTargets } from './report-targets';
import { ReportRepository } from './report.repository';
import { ReportsService } from './reports.service';

/** Reports to the moderators. */
@Module({
  imports: [AuditLogModule, MediaModule, PostsModule, AuthorsModule],
  providers: [ReportsService, ReportTargets, ReportRepository],
  exports: [ReportsService],
})
export class ReportsModule {}
