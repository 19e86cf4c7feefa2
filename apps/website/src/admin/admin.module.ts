import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonAccessController } from './person-access.controller';
import { PersonController } from './person.controller';
import { SettingsController } from './settings.controller';
import { StorageController } from './storage.controller';
import { WorkController } from './work.controller';

/** The pages for admins. */
@Module({
  imports: [DiscoveryModule],
  controllers: [
    PeopleController,
    PersonController,
    PersonAccessController,
    StorageController,
    WorkController,
    AuditLogController,
    SettingsController,
  ],
})
export class AdminModule {}
