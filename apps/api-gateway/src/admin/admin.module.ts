import { Module } from '@nestjs/common';
import { AdministrationModule, AuditLogModule } from '@vitrine/domain';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonAccessController } from './person-access.controller';

/** The routes for admins. */
@Module({
  imports: [AdministrationModule, AuditLogModule],
  controllers: [AuditLogController, PeopleController, PersonAccessController],
})
export class AdminModule {}
