import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Idempotency } from './idempotency';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencySweep } from './idempotency.sweep';
import { Leases } from './leases';

/** `Idempotency-Key` on the POSTs of a public host; `keepPosts` puts it there. */
@Module({
  imports: [DiscoveryModule],
  providers: [Idempotency, IdempotencyRepository, IdempotencySweep, Leases, IdempotencyInterceptor],
  exports: [Idempotency],
})
export class IdempotencyModule {}
