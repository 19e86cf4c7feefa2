import { Shares } from '@vitrine/concurrency';
import { Injectable } from '@nestjs/common';
import { LoadShedError, TooManyRequestsError } from '@vitrine/domain';
import { Overload } from '@vitrine/http';
import { UploadConfig } from '../config/upload.config';

/** Seconds after which a slot is probably free. */
const RETRY_AFTER = 5;

/** All slots of this process are taken. */
export class NoUploadSlotError extends LoadShedError {
  constructor() {
    super(RETRY_AFTER);
  }
}

/**
 * Bounds the number of uploads at a time, in total and per caller, so that neither disk nor memory runs out. A caller can
 * have no more slots than are free, so another caller always finds one (see `Shares`).
 */
@Injectable()
export class UploadSlots {
  private readonly slots: Shares;

  constructor(
    config: UploadConfig,
    private readonly overload: Overload,
  ) {
    this.slots = new Shares({
      limit: config.maxConcurrentUploads,
      each: config.maxConcurrentUploadsPerCaller,
      leavesRoom: true,
    });
  }

  /** Runs `work` in a slot. Throws `NoUploadSlotError` if none is free, `TooManyRequestsError` if the caller has its share. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const refusal = this.slots.refusalOf(caller);
    if (refusal === 'full') {
      this.overload.countShed();
      throw new NoUploadSlotError();
    }
    if (refusal === 'share') throw new TooManyRequestsError(RETRY_AFTER);
    const giveBack = this.slots.take(caller);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }
}
