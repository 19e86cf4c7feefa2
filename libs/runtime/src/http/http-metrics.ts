import { Injectable } from '@nestjs/common';
import { Gauge, Histogram, Registry } from 'prom-client';

/** Counts requests by how they end, and measures how long they take. */
@Injectable()
export class HttpMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;
  private readonly inFlight: Gauge;

  constructor(registry: Registry) {
    this.seconds = new Histogram({
      name: 'vitrine_http_request_seconds',
      help: 'Seconds from a request’s headers to the end of its answer, without those for which it was held.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
      registers: [registry],
    });
    this.inFlight = new Gauge({
      name: 'vitrine_http_requests_in_flight',
      help: 'Requests that are being answered, without those that are held.',
      registers: [registry],
    });
  }

  begin(): void {
    this.inFlight.inc();
  }

  /** A request in progress only waits from now on, and needs nothing of the process. */
  hold(): void {
    this.inFlight.dec();
  }

  /** A request has waited, and is in progress again. */
  resume(): void {
    this.inFlight.inc();
  }

  end({ method, route, status, seconds }: EndedRequest): void {
    this.inFlight.dec();
    this.seconds.observe({ method, route, status }, seconds);
  }
}

/** What metrics and logs say about a request that has ended. Clients can choose none of these values. */
export interface EndedRequest {
  /** `OTHER` for a method that isn't in use here. */
  readonly method: string;
  /** The pattern of the route, never the path, which has slugs and keys; `none` if no route matched. */
  readonly route: string;
  /** Three digits, or `aborted` if the client closed the connection first. */
  readonly status: string;
  readonly seconds: number;
}

/** An aborted request is not our failure: players abort one whenever a viewer seeks in a video. */
export const isOurFailure = (status: string): boolean => status.startsWith('5');
