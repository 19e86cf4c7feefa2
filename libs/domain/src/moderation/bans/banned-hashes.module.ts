import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { BannedHashEntity } from './banned-hash.entity';
import { BannedHashRepository } from './banned-hash.repository';
import { BannedHashesService } from './banned-hashes.service';

/** Banned hashes; separate from `ModerationModule` because upload-service needs nothing else of moderation. */
@Module({
  imports: [AuditLogModule, TypeOrmModule.forFeature([BannedHashEntity])],
  providers: [BannedHashRepository, BannedHashesService],
  exports: [BannedHashesService],
})
export class BannedHashesModule {}
