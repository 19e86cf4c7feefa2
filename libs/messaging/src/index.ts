export { HandleEvent, HandleExhausted, type ExhaustedEvent } from './consumer/handle-event';
export { EventsTransportStrategy } from './consumer/events-transport-strategy';
export { TerminalError } from './consumer/terminal-error';
export { buildEnvelope } from './transport/envelope';
export { EventPublisher } from './publisher/event-publisher';
export { PublicationMetrics } from './publisher/publication-metrics';
export {
  MessageTransport,
  type DeadLetter,
  type Delivery,
  type QueueDefinition,
  type Subscription,
} from './transport/message-transport';
export { isRabbitMqUrl, MessagingConfig } from './options/messaging.config';
export type { BusAddress, MessagingOptions, TransportFactory } from './options/messaging-options';
export { MessagingModule } from './messaging.module';
export { queueOf, queuesOf } from './transport/queues';
export { RabbitMqTransport } from './rabbitmq/rabbitmq-transport';
export { BusUnavailableError, DeliveryLostError, UnroutableMessageError } from './transport/transport-errors';
