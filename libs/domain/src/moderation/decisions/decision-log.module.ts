import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { DecisionLog } from './decision-log.service';
import { ModerationDecisionEntity } from './moderation-decision.entity';
import { ModerationDecisionRepository } from './moderation-decision.repository';

/** The log of decisions; separate from `ModerationModule` because owners' decisions on their posts are in it too. */
@Module({
  imports: [AuditLogModule, TypeOrmModule.forFeature([ModerationDecisionEntity])],
  providers: [ModerationDecisionRepository, DecisionLog],
  exports: [DecisionLog],
})
export class DecisionLogModule {}
