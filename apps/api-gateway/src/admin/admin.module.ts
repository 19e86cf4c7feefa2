import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AdministrationModule, AuditLogModule, QuotasModule } from '@vitrine/domain';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonAccessController } from './person-access.controller';
import { SettingsController } from './settings.controller';
import { StorageController } from './storage.controller';
import { WorkController } from './work.controller';

/** The routes for admins. */
@Module({
  imports: [DiscoveryModule, AdministrationModule, AuditLogModule, QuotasModule],
  controllers: [
    AuditLogController,
    PeopleController,
    PersonAccessController,
    SettingsController,
    StorageController,
    WorkController,
  ],
})
export class AdminModule {}
