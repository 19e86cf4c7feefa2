import { Inject, Injectable } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { events, type EventDefinition } from '@vitrine/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { MessageTransport, type Subscription } from '../message-transport';
import { MessagingConfig } from '../messaging.config';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../messaging-options';
import { queueOf } from '../queues';
import { ConsumerMetrics } from './consumer-metrics';
import { DeliveryHandler, type EventHandlers } from './delivery-handler';
import { EVENTS_TRANSPORT, exhaustedPattern, type HandlerExtras } from './handle-event';

/** Boot waits this long for the broker; after that the process goes on, unready, and consumes once it is reached. */
const BOOT_PATIENCE_MS = 5_000;

/** The handlers don't match what the service says it consumes: the process must not start. */
export class EventBindingError extends Error {
  override readonly name = 'EventBindingError';
}

/**
 * Feeds Nest's event handlers from the bus: `app.connectMicroservice({ strategy: app.get(EventsTransportStrategy) })`.
 * Starting rejects with `EventBindingError` unless each consumed event has exactly one handler and no other has any.
 */
@Injectable()
export class EventsTransportStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId = EVENTS_TRANSPORT;
  override readonly propagatesEventHandlerErrors = true;
  private readonly subscriptions: Subscription[] = [];
  private readonly prefetches = new Map<string, number>();
  private closing = false;

  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    private readonly config: MessagingConfig,
    private readonly transport: MessageTransport,
    private readonly metrics: ConsumerMetrics,
  ) {
    super();
  }

  /** Overrides a handler's `prefetch` where the process's configuration decides it; before `listen`. */
  withPrefetch(event: EventDefinition<string, unknown>, prefetch: number): this {
    this.prefetches.set(event.type, prefetch);
    return this;
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  /** Takes no further messages, finishes those under way. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
  }

  on(): never {
    throw new Error('The bus has no events of its own to listen to');
  }

  unwrap<T>(): T {
    return this.transport as T;
  }

  private async start(): Promise<void> {
    const consumers = this.bindings();
    const consuming = this.consume(consumers).catch((error: unknown) => {
      if (this.closing) return;
      throw error;
    });
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), BOOT_PATIENCE_MS);
    });
    const outcome = await Promise.race([consuming, impatience]).finally(() => clearTimeout(timer));
    if (outcome !== 'late') return;
    this.logger.warn('The bus is out of reach; consuming begins once it answers');
    consuming.catch((error: unknown) => this.logger.error(error));
  }

  private async consume(consumers: readonly Consumer[]): Promise<void> {
    await this.transport.declare(this.options.consumes.map((event) => queueOf(this.options.service, event)));
    for (const { queue, prefetch, handlers } of consumers) {
      const handler = new DeliveryHandler(handlers, this.config.retryDelaysMs, this.metrics);
      const subscription = await this.transport.consume(queue, prefetch, (delivery) =>
        handler.take(delivery),
      );
      this.subscriptions.push(subscription);
    }
    if (this.closing) await this.close();
  }

  private bindings(): readonly Consumer[] {
    const { service, consumes } = this.options;
    const problems = [
      ...consumes
        .filter(({ type }) => !this.messageHandlers.has(type))
        .map(({ type }) => `${type} has no handler`),
      ...[...this.messageHandlers].flatMap(([pattern, handler]) => this.problemsOf(pattern, handler)),
      ...unlike(service, consumes),
    ];
    if (problems.length > 0) throw new EventBindingError(`${service}: ${problems.join('; ')}`);
    return consumes.map((event) => {
      const handler = this.messageHandlers.get(event.type);
      const exhausted = this.messageHandlers.get(exhaustedPattern(event.type));
      return {
        queue: queueOf(service, event).name,
        prefetch: this.prefetches.get(event.type) ?? extrasOf(handler)?.prefetch ?? 1,
        handlers: {
          event,
          handle: (envelope) => run(handler, envelope),
          ...(exhausted && { exhausted: (argument) => run(exhausted, argument) }),
        },
      };
    });
  }

  private problemsOf(pattern: string, handler: MessageHandler): string[] {
    const extras = extrasOf(handler);
    if (!extras) return [`${pattern} is bound without @HandleEvent`];
    const problems: string[] = [];
    if (handler.next) problems.push(`${pattern} has more than one handler`);
    if (!this.options.consumes.some(({ type }) => type === extras.event.type)) {
      problems.push(`${pattern} has a handler and isn't consumed`);
    }
    return problems;
  }
}

interface Consumer {
  readonly queue: string;
  readonly prefetch: number;
  readonly handlers: EventHandlers;
}

/** Where the catalogue says otherwise about who consumes what. */
function unlike(service: string, consumes: readonly EventDefinition<string, unknown>[]): string[] {
  const catalogue: readonly EventDefinition<string, unknown>[] = Object.values(events);
  return [
    ...consumes
      .filter(({ consumers }) => !consumers.includes(service))
      .map(({ type }) => `${type} doesn't name ${service} among its consumers`),
    ...catalogue
      .filter(
        ({ consumers, type }) => consumers.includes(service) && !consumes.some((own) => own.type === type),
      )
      .map(({ type }) => `${type} names ${service} among its consumers, but isn't consumed`),
  ];
}

function extrasOf(handler: MessageHandler | undefined): HandlerExtras | undefined {
  const extras: Partial<HandlerExtras> | undefined = handler?.extras;
  return extras?.event && extras.role && extras.prefetch !== undefined
    ? { event: extras.event, role: extras.role, prefetch: extras.prefetch }
    : undefined;
}

/** Nest answers with a promise, an observable, or a promise of one. */
async function run(handler: MessageHandler | undefined, argument: unknown): Promise<void> {
  const result: unknown = await handler?.(argument);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}
