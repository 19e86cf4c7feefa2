import { type DynamicModule, Module } from '@nestjs/common';
import { MessagingModule, type MessagingOptions } from '@vitrine/messaging';
import { createTransport } from './create-transport';
import { OutboxRelay } from './relay/outbox-relay';

/** The bus for a process with a database: `MessagingModule` on either transport, and a relay of the outbox. */
@Module({})
export class BusWithOutboxModule {
  static forRoot(options: Pick<MessagingOptions, 'service' | 'consumes'>): DynamicModule {
    return {
      module: BusWithOutboxModule,
      imports: [MessagingModule.forRoot({ ...options, createTransport, readyWithoutBus: true })],
      providers: [OutboxRelay],
      exports: [OutboxRelay],
    };
  }
}
