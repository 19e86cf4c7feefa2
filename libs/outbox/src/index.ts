export { BusWithOutboxModule } from './bus-with-outbox.module';
export { createTransport } from './create-transport';
export { Outbox } from './outbox/outbox';
export { OutboxModule } from './outbox/outbox.module';
