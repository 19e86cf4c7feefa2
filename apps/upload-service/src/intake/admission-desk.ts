import { Injectable } from '@nestjs/common';
import { LoadShedError, TooManyRequestsError } from '@vitrine/domain';
import { Overload } from '@vitrine/http';
import { UploadConfig } from '../upload.config';

/** Seconds after which a place is likely to be free. */
const RETRY_AFTER = 5;

/** All places are taken. */
export class NoPlaceError extends LoadShedError {
  constructor() {
    super(RETRY_AFTER);
  }
}

/**
 * Bounds the uploads under way, in all and of one caller, so that neither disk nor memory runs out. A caller may have
 * no more of them than there are places left, so that however many callers hold on to theirs, somebody who comes with
 * one file finds a place (dynamic thresholds, after Choudhury and Hahne).
 */
@Injectable()
export class AdmissionDesk {
  private readonly underWay = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly config: UploadConfig,
    private readonly overload: Overload,
  ) {}

  /** Runs `work` in one of the places. Throws `NoPlaceError`, or `TooManyRequestsError` for the caller's own. */
  async admit<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.underWay.get(caller) ?? 0;
    const { maxConcurrentUploads, maxConcurrentUploadsPerCaller } = this.config;
    const free = maxConcurrentUploads - this.total;
    if (free <= 0) {
      this.overload.countShed();
      throw new NoPlaceError();
    }
    if (own >= Math.min(free, maxConcurrentUploadsPerCaller)) throw new TooManyRequestsError(RETRY_AFTER);
    this.total++;
    this.underWay.set(caller, own + 1);
    try {
      return await work();
    } finally {
      this.total--;
      const left = (this.underWay.get(caller) ?? 1) - 1;
      if (left > 0) this.underWay.set(caller, left);
      else this.underWay.delete(caller);
    }
  }
}
