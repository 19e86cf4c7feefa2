import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CountersModule, TokensModule } from '@vitrine/domain';
import { provideConfig } from '@vitrine/runtime';
import { AccessGuard } from './access';
import { Admissions } from './admissions';
import { ErrorFilter } from './error.filter';
import { HttpConfig } from './http.config';
import { HttpMetrics } from './http-metrics';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { RateLimits } from './rate-limits';
import { RequestPipe } from './request.pipe';

/** What both public hosts share; the app's module imports it once. */
@Module({
  imports: [CountersModule, IdempotencyModule, TokensModule],
  providers: [
    provideConfig(HttpConfig),
    Admissions,
    HttpMetrics,
    RateLimits,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
  exports: [HttpConfig],
})
export class HttpModule {}
