import { Module } from '@nestjs/common';
import { Outbox } from './outbox';

/** For modules that add events in their transactions; a relay publishes them, in this process or another. */
@Module({ providers: [Outbox], exports: [Outbox] })
export class OutboxModule {}
