import { Module } from '@nestjs/common';
import { WaitingWorkRepository } from './waiting-work.repository';

/** Which periodic work waits. */
@Module({ providers: [WaitingWorkRepository], exports: [WaitingWorkRepository] })
export class WaitingWorkModule {}
