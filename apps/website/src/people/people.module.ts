import { Module } from '@nestjs/common';
import { PeopleController } from './people.controller';

/** Profile pages. */
@Module({ controllers: [PeopleController] })
export class PeopleModule {}
