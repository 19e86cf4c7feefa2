import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencySweep } from './idempotency.sweep';
import { Leases } from './leases';

/** `Idempotency-Key` on the POST routes of a public host. Global, so that any controller can declare `@IdempotentPost`. */
@Global()
@Module({
  providers: [Idempotency, IdempotencyRepository, IdempotencySweep, Leases],
  exports: [Idempotency],
})
export class IdempotencyModule {}
