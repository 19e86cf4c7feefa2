import { Injectable } from '@nestjs/common';
import { Gauge, Histogram, Registry } from 'prom-client';

/** How many requests there are, how they end, and how long they take. */
@Injectable()
export class HttpMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;
  private readonly inFlight: Gauge;

  constructor(registry: Registry) {
    this.seconds = new Histogram({
      name: 'vitrine_http_request_seconds',
      help: 'Seconds from a request’s headers to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
      registers: [registry],
    });
    this.inFlight = new Gauge({
      name: 'vitrine_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers: [registry],
    });
  }

  begin(): void {
    this.inFlight.inc();
  }

  end({ method, route, status, seconds }: EndedRequest): void {
    this.inFlight.dec();
    this.seconds.observe({ method, route, status }, seconds);
  }
}

/** What is said of a request once it is over: nothing in it is of the client's making. */
export interface EndedRequest {
  /** `OTHER` where it is none that we know. */
  readonly method: string;
  /** The pattern that matched, never the path with its slugs and keys; `none` where nothing did. */
  readonly route: string;
  /** Three digits, or `aborted` where the client hung up first. */
  readonly status: string;
  readonly seconds: number;
}

/** Whoever hangs up (`aborted`) had enough: of a video at each jump in it. */
export const isOurFailure = (status: string): boolean => status.startsWith('5');
