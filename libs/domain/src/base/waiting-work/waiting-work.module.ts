import { Module } from '@nestjs/common';
import { WaitingWorkRepository } from './waiting-work.repository';
import { WaitingWorkService } from './waiting-work.service';

/** Which periodic work waits. */
@Module({ providers: [WaitingWorkRepository, WaitingWorkService], exports: [WaitingWorkService] })
export class WaitingWorkModule {}
