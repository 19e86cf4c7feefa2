import { Module } from '@nestjs/common';
import { HttpMetrics } from './http-metrics';
import { HttpObserver } from './http-observer';

/** For every public host; its `HttpObserver` is the first middleware. */
@Module({ providers: [HttpMetrics, HttpObserver], exports: [HttpObserver] })
export class HttpObservationModule {}
