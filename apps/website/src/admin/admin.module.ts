import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller';
import { PeopleController } from './people.controller';
import { PersonController } from './person.controller';

/** The pages for admins. */
@Module({ controllers: [PeopleController, PersonController, AuditLogController] })
export class AdminModule {}
