import { Module } from '@nestjs/common';
import { BlockingController } from './blocking.controller';

/** Blocking and muting of people. */
@Module({ controllers: [BlockingController] })
export class BlockingModule {}
