import { Module } from '@nestjs/common';
import { CountersModule } from '@vitrine/counters';
import { ProofOfWorkModule } from '../../sign-in/proof-of-work/proof-of-work.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { MediaModule } from '../../media/items/media.module';
import { PostsModule } from '../../posts/posts/posts.module';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { ReportTargets } from './report-targets';
import { ReportRepository } from './report.repository';
import { ReportsService } from './reports.service';

/** Reports to the moderators. */
@Module({
  imports: [CountersModule, ProofOfWorkModule, AuditLogModule, MediaModule, PostsModule, AuthorsModule],
  providers: [ReportsService, ReportTargets, ReportRepository],
  exports: [ReportsService],
})
export class ReportsModule {}
