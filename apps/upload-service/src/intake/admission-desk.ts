import { Injectable } from '@nestjs/common';
import { TooManyRequestsError, UnavailableError } from '@vitrine/domain';
import { UploadConfig } from '../upload.config';

/** Seconds after which a place is likely to be free. */
const RETRY_AFTER = 5;

/** Bounds the uploads under way, in all and of one caller, so that neither disk nor memory runs out. */
@Injectable()
export class AdmissionDesk {
  private readonly underWay = new Map<string, number>();
  private total = 0;

  constructor(private readonly config: UploadConfig) {}

  /** Runs `work` in one of the places. Throws `UnavailableError`, or `TooManyRequestsError` for the caller's own. */
  async admit<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.underWay.get(caller) ?? 0;
    if (this.total >= this.config.maxConcurrentUploads) throw new UnavailableError(RETRY_AFTER);
    if (own >= this.config.maxConcurrentUploadsPerCaller) throw new TooManyRequestsError(RETRY_AFTER);
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
