import {
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { events } from '@vitrine/contracts';
import { Health, provideConfig } from '@vitrine/runtime';
import { BusMetrics } from './bus-metrics';
import { ConsumerMetrics } from './consumer/consumer-metrics';
import { EventsTransportStrategy } from './consumer/events-transport-strategy';
import { MessagingConfig } from './options/messaging.config';
import { MESSAGING_OPTIONS, type MessagingOptions } from './options/messaging-options';
import { EventPublisher } from './publisher/event-publisher';
import { PublicationMetrics } from './publisher/publication-metrics';
import { MessageTransport } from './transport/message-transport';
import { queuesOf } from './transport/queues';

/** The bus for one process: transport, consumers and publisher. */
@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(MessagingModule.name);
  private reached = false;
  private stopping = false;

  constructor(
    private readonly transport: MessageTransport,
    private readonly health: Health,
  ) {}

  static forRoot(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      // Nest stops global modules last, so what publishes while it stops still has the bus.
      global: true,
      providers: [
        provideConfig(MessagingConfig),
        { provide: MESSAGING_OPTIONS, useValue: options },
        {
          provide: MessageTransport,
          inject: [MessagingConfig],
          useFactory: (config: MessagingConfig) => options.createTransport(config, options.service),
        },
        BusMetrics,
        ConsumerMetrics,
        PublicationMetrics,
        EventPublisher,
        EventsTransportStrategy,
      ],
      exports: [MessageTransport, EventPublisher, EventsTransportStrategy],
    };
  }

  onModuleInit(): void {
    // Also the queues of other services: an event that is published before its consumer first starts waits for it.
    this.transport.declare(queuesOf(Object.values(events))).catch((error: unknown) => {
      if (!this.stopping) this.logger.error(error);
    });
    void this.transport.connect().then(
      () => {
        this.reached = true;
      },
      () => undefined,
    );
    // Connected once, the process stays ready during an outage, which is the same for all.
    this.health.require('bus', () => {
      if (!this.reached && !this.transport.healthy()) throw new Error('The bus is unreachable');
    });
  }

  /** The strategy has drained by now. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.transport.close();
  }
}
