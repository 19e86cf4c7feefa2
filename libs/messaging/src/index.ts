export {
  HandleEvent,
  HandleExhausted,
  type ExhaustedEvent,
  type HandleEventOptions,
} from './consumer/handle-event';
export { EventBindingError, EventsTransportStrategy } from './consumer/events-transport-strategy';
export { TerminalError } from './consumer/terminal-error';
export { createTransport } from './create-transport';
export { buildEnvelope } from './envelope';
export { EventPublisher } from './event-publisher';
export {
  MessageTransport,
  type DeadLetter,
  type Delivery,
  type QueueDefinition,
  type Subscription,
} from './message-transport';
export { MessagingConfig } from './messaging.config';
export type { MessagingOptions } from './messaging-options';
export { MessagingModule } from './messaging.module';
export { Outbox } from './outbox/outbox';
export { OutboxModule } from './outbox/outbox.module';
export { queueOf, queuesOf } from './queues';
export { RabbitMqTransport } from './rabbitmq/rabbitmq-transport';
export { BusUnavailableError, DeliveryLostError, UnroutableMessageError } from './transport-errors';
