import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonController } from './person.controller';
import { SettingsController } from './settings.controller';
import { WorkController } from './work.controller';

/** The pages for admins. */
@Module({
  controllers: [PeopleController, PersonController, AuditLogController, SettingsController, WorkController],
})
export class AdminModule {}
