import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CountersModule, TokensModule } from '@vitrine/domain';
import { HttpObservationModule, provideConfig } from '@vitrine/runtime';
import { AccessGuard } from './access';
import { Admissions } from './admissions';
import { ErrorFilter } from './error.filter';
import { HttpConfig } from './http.config';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';
import { RequestClients } from './request-clients';
import { RequestPipe } from './request.pipe';

/** What both public hosts share; the app's module imports it once. */
@Module({
  imports: [CountersModule, HttpObservationModule, IdempotencyModule, TokensModule],
  providers: [
    provideConfig(HttpConfig),
    Admissions,
    Overload,
    RateLimits,
    RequestClients,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
  exports: [HttpConfig, Overload, RequestClients],
})
export class HttpModule {}
