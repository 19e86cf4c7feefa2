import { Module } from '@nestjs/common';
import { Outbox } from './outbox';

/** For whatever writes events in its transactions; publishing them is the relay's work, in any process. */
@Module({ providers: [Outbox], exports: [Outbox] })
export class OutboxModule {}
