import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Counters, type Limiter } from '@vitrine/counters';
import { type DomainError, type NotFoundError, TooManyRequestsError } from '@vitrine/domain';
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

  /** Counts a request for a file that doesn't exist. Returns what to answer: `miss`, or `TooManyRequestsError`. */
  async count(miss: NotFoundError, request: IncomingMessage): Promise<DomainError> {
    const { exceeded, msBeforeNext } = await this.limiter.consume(this.clients.of(request).client.clientKey);
    return exceeded ? TooManyRequestsError.untilReset(msBeforeNext) : miss;
  }
}
