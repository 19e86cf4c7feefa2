import { Injectable } from '@nestjs/common';
import { type WaitingWork, WaitingWorkRepository } from './waiting-work.repository';

/** Tells which periodic work waits, so that a process without work costs little. */
@Injectable()
export class WaitingWorkService {
  constructor(private readonly repository: WaitingWorkRepository) {}

  /** Costs one small statement. */
  find(): Promise<WaitingWork> {
    return this.repository.find();
  }
}
