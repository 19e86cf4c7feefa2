import { createRequire } from 'node:module';
import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { events } from '@vitrine/contracts';
import { Health, provideConfig } from '@vitrine/runtime';
import { BusMetrics } from './bus-metrics';
import { ConsumerMetrics } from './consumer/consumer-metrics';
import { EventsTransportStrategy } from './consumer/events-transport-strategy';
import { EventPublisher } from './event-publisher';
import { MessageTransport } from './message-transport';
import { MessagingConfig } from './messaging.config';
import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options';
import { createTransport } from './create-transport';
import type { OutboxRelay } from './outbox/outbox-relay';
import { OutboxModule } from './outbox/outbox.module';
import { PublicationMetrics } from './publication-metrics';
import { queuesOf } from './queues';

const RELAY = Symbol('vitrine:relay');

/** Loaded where it is asked for, as it brings the database's client along. */
const loadRelay = (): typeof import('./outbox/outbox-relay') =>
  createRequire(__filename)('./outbox/outbox-relay');

/** The bus for one process: transport, consumers, publisher, and the outbox relay where asked for. */
@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(MessagingModule.name);
  private reached = false;
  private stopping = false;

  constructor(
    @Inject(RELAY) private readonly relay: OutboxRelay | undefined,
    private readonly transport: MessageTransport,
    private readonly health: Health,
  ) {}

  static forRoot(options: MessagingOptions): DynamicModule {
    const relay: Provider = options.relay
      ? { provide: RELAY, useClass: loadRelay().OutboxRelay }
      : { provide: RELAY, useValue: undefined };
    return {
      module: MessagingModule,
      global: true,
      imports: [OutboxModule],
      providers: [
        provideConfig(MessagingConfig),
        { provide: MESSAGING_OPTIONS, useValue: options },
        {
          provide: MessageTransport,
          inject: [MessagingConfig],
          useFactory: (config: MessagingConfig) => createTransport(config, options.service),
        },
        BusMetrics,
        ConsumerMetrics,
        PublicationMetrics,
        EventPublisher,
        EventsTransportStrategy,
        relay,
      ],
      exports: [MessageTransport, EventPublisher, EventsTransportStrategy, OutboxModule],
    };
  }

  onModuleInit(): void {
    // Not only our own queues, which the strategy declares: an event published before its consumer first starts must
    // wait for it.
    this.transport.declare(queuesOf(Object.values(events))).catch((error: unknown) => {
      if (!this.stopping) this.logger.error(error);
    });
    void this.transport.connect().then(
      () => {
        this.reached = true;
      },
      () => undefined,
    );
    this.health.require('bus', () => {
      // With an outbox a process does its work through an outage, once it has been fully up.
      const needed = !this.relay || !this.reached;
      if (needed && !this.transport.healthy()) throw new Error('The bus is out of reach');
    });
    this.relay?.start();
  }

  /** The strategy has drained by now; flush what its handlers left in the outbox, then let go of the bus. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.relay?.stop();
    await this.transport.close();
  }
}
