import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { Counters, CountersModule } from '@vitrine/counters';
import { TokensModule } from '@vitrine/domain';
import { HttpObservationModule } from '@vitrine/runtime';
import { AccessGuard } from '../access/access';
import { Identification } from '../access/identification';
import { JsonBodyGuard } from '../bodies/json-body.guard';
import { RequestPipe } from '../bodies/request.pipe';
import { RequestClients } from '../clients/request-clients';
import { HttpConfig } from '../config/http.config';
import { SharedConfigModule } from '../config/shared-config.module';
import { ErrorFilter } from '../errors/error.filter';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { HoldServices } from '../overload/held-requests';
import { Overload } from '../overload/overload';
import { RequestThrottlerGuard } from '../throttling/request-throttler.guard';
import { throttlersOf } from '../throttling/throttlers';
import { OpenApiRedirectController } from './openapi-redirect.controller';
import { PreflightController } from './preflight.controller';

/**
 * What both public hosts share; the app's module imports it once. Guards run in the order of this list: a request is
 * counted, then its caller is checked against the route's rule, then its body is read.
 */
@Module({
  imports: [
    HttpObservationModule,
    IdempotencyModule,
    SharedConfigModule,
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [HttpConfig, Counters],
      useFactory: throttlersOf,
    }),
    TokensModule,
  ],
  controllers: [OpenApiRedirectController, PreflightController],
  providers: [
    HoldServices,
    Identification,
    Overload,
    RequestClients,
    RequestThrottlerGuard,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useExisting: RequestThrottlerGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: JsonBodyGuard },
    { provide: APP_PIPE, useClass: RequestPipe },
  ],
  exports: [HoldServices, HttpObservationModule, Overload, RequestClients],
})
export class HttpModule {}
