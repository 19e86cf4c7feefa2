import { Controller, Get, HttpCode, Module, Options, Redirect } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { Counters, CountersModule } from '@vitrine/counters';
import { TokensModule } from '@vitrine/domain';
import { HttpObservationModule, PublicUrlsConfig } from '@vitrine/runtime';
import { AccessGuard, Public } from '../access/access';
import { Identification } from '../access/identification';
import { JsonBodyGuard } from '../bodies/json-body.guard';
import { RequestPipe } from '../bodies/request.pipe';
import { RequestClients } from '../clients/request-clients';
import { HttpConfig, SharedConfigModule } from '../config/http.config';
import { ErrorFilter } from '../errors/error.filter';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { HoldServices } from '../overload/held-requests';
import { Overload } from '../overload/overload';
import { RequestThrottlerGuard } from '../throttling/request-throttler.guard';
import { throttlersOf } from '../throttling/throttlers';
import { ApiExcludeController } from '@nestjs/swagger';

/** Leads programs that look for the OpenAPI document at the root of a host to it. */
@ApiExcludeController()
@Controller()
export class OpenApiRedirectController {
  constructor(private readonly urls: PublicUrlsConfig) {}

  @Get('openapi.json')
  @Redirect(undefined, 302)
  @Public()
  lead(): { readonly url: string } {
    return { url: `${this.urls.api}/openapi.json` };
  }
}

/** Answers OPTIONS for every path. It is a route so that the guard counts it; middleware has set the CORS headers. */
@ApiExcludeController()
@Controller()
export class PreflightController {
  @Options('{*path}')
  @HttpCode(204)
  @Public()
  answer(): void {}
}

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
