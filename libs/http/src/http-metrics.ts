import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram, Registry } from 'prom-client';

/** How many requests there are, how they end, and how long they take. */
@Injectable()
export class HttpMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: Registry) {
    this.seconds = new Histogram({
      name: 'vitrine_http_request_seconds',
      help: 'Seconds from a request’s headers to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
      registers: [registry],
    });
  }

  /** Express middleware. The route is the pattern that matched, never the path with its slugs and keys. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    response.once('close', () => {
      const route: unknown = request.route?.path;
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      this.observe(request.method, typeof route === 'string' ? route : 'none', status, begun);
    });
    next();
  };

  private observe(method: string, route: string, status: string, begun: number): void {
    this.seconds.observe({ method, route, status }, (performance.now() - begun) / 1000);
  }
}
