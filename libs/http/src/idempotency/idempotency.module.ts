import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Idempotency } from './idempotency';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencySweep } from './idempotency.sweep';
import { Leases } from './leases';

/** `Idempotency-Key` on every POST of a public host. */
@Module({
  providers: [
    Idempotency,
    IdempotencyRepository,
    IdempotencySweep,
    Leases,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Idempotency],
})
export class IdempotencyModule {}
