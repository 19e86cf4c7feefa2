import { Module } from '@nestjs/common';
import { PeopleController } from './people.controller';

/** What people show of themselves. */
@Module({ controllers: [PeopleController] })
export class PeopleModule {}
