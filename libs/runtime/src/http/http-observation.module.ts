import { Module } from '@nestjs/common';
import { provideConfig } from '../config/provide-config';
import { HttpMetrics } from './http-metrics';
import { HttpObserver } from './http-observer';
import { PublicServerConfig } from './public-server.config';

/** For each public host, which uses `HttpObserver` as its first middleware. */
@Module({
  providers: [provideConfig(PublicServerConfig), HttpMetrics, HttpObserver],
  exports: [HttpObserver, PublicServerConfig],
})
export class HttpObservationModule {}
