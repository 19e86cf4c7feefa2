import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AdministrationModule, AuditLogModule } from '@vitrine/domain';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonAccessController } from './person-access.controller';
import { SettingsController } from './settings.controller';
import { WorkController } from './work.controller';

/** The routes for admins. */
@Module({
  imports: [DiscoveryModule, AdministrationModule, AuditLogModule],
  controllers: [
    AuditLogController,
    PeopleController,
    PersonAccessController,
    SettingsController,
    WorkController,
  ],
})
export class AdminModule {}
