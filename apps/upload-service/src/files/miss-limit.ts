import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Counters, type Limiter, NotFoundError, TooManyRequestsError } from '@vitrine/domain';
import { RequestClients } from '@vitrine/http';
import { UploadConfig } from '../upload.config';

const WINDOW_SECONDS = 60;

/** Limits how often one address may ask for files that don't exist: each costs a look into the database. */
@Injectable()
export class MissLimit {
  private readonly limiter: Limiter;

  constructor(
    counters: Counters,
    private readonly clients: RequestClients,
    config: UploadConfig,
  ) {
    this.limiter = counters.limiter({
      name: 'file-misses',
      points: config.missesPerMinute,
      windowSeconds: WINDOW_SECONDS,
    });
  }

  /** Runs `serve` and counts its `NotFoundError`; throws `TooManyRequestsError` in its place beyond the limit. */
  async countAround(request: IncomingMessage, serve: () => Promise<void>): Promise<void> {
    try {
      await serve();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const { exceeded, msBeforeNext } = await this.limiter.consume(this.clients.of(request).client.bucket);
      throw exceeded ? new TooManyRequestsError(Math.max(1, Math.ceil(msBeforeNext / 1000))) : error;
    }
  }
}
