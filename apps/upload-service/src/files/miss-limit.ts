import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Counters, type Limiter } from '@vitrine/counters';
import { NotFoundError, TooManyRequestsError } from '@vitrine/domain';
import { HttpConfig, RequestClients } from '@vitrine/http';

const WINDOW_SECONDS = 60;

/** Limits how often one client may request files that don't exist, because each such request costs a query. */
@Injectable()
export class MissLimit {
  private readonly limiter: Limiter;

  constructor(
    counters: Counters,
    private readonly clients: RequestClients,
    config: HttpConfig,
  ) {
    this.limiter = counters.limiter({
      name: 'file-misses',
      points: config.missesPerMinute,
      windowSeconds: WINDOW_SECONDS,
    });
  }

  /** Runs `serve` and counts its `NotFoundError`. Above the limit, throws `TooManyRequestsError` instead. */
  async countAround(request: IncomingMessage, serve: () => Promise<void>): Promise<void> {
    try {
      await serve();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const { exceeded, msBeforeNext } = await this.limiter.consume(
        this.clients.of(request).client.clientKey,
      );
      throw exceeded ? TooManyRequestsError.untilReset(msBeforeNext) : error;
    }
  }
}
