import { Inject, Injectable } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { waitAtMost } from '@vitrine/concurrency';
import { events, type EventDefinition } from '@vitrine/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import { MessageTransport, type Subscription } from '../transport/message-transport';
import { MessagingConfig } from '../options/messaging.config';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../options/messaging-options';
import { queueOf } from '../transport/queues';
import { ConsumerMetrics } from './consumer-metrics';
import { DeliveryHandler, type EventHandlers } from './delivery-handler';
import { EVENTS_TRANSPORT, exhaustedPattern, type HandlerExtras } from './handle-event';

/** How long the start waits for the broker; then the process starts unready, and consumes once the broker is reachable. */
const BOOT_PATIENCE_MS = 5_000;

/** The handlers don't match the events that the service consumes: the process must not start. */
class EventBindingError extends Error {
  override readonly name = 'EventBindingError';
}

/**
 * Connects Nest's event handlers to the bus: `app.connectMicroservice({ strategy: app.get(EventsTransportStrategy) })`.
 * Starting rejects with `EventBindingError` unless each consumed event has exactly one handler and no other event has one.
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

  /** Replaces the `prefetch` of a handler by a configured one. Call it before `listen`. */
  withPrefetch(event: EventDefinition<string, unknown>, prefetch: number): this {
    this.prefetches.set(event.type, prefetch);
    return this;
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  /** Stops taking messages, and resolves when those in progress are finished. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
  }

  on(): never {
    throw new Error('The bus emits no events itself');
  }

  unwrap<T>(): T {
    return this.transport as T;
  }

  private async start(): Promise<void> {
    const consuming = this.consume(this.bindings()).catch((error: unknown) => {
      if (this.closing) return;
      throw error;
    });
    if (await waitAtMost(BOOT_PATIENCE_MS, consuming)) return;
    this.logger.warn('The bus is unreachable; consuming starts once it answers');
    consuming.catch((error: unknown) => this.logger.error(error));
  }

  private async consume(bindings: readonly Binding[]): Promise<void> {
    await this.transport.declare(this.options.consumes.map((event) => queueOf(this.options.service, event)));
    for (const { queue, prefetch, handlers } of bindings) {
      const handler = new DeliveryHandler(handlers, this.config.retryDelaysMs, this.metrics);
      const subscription = await this.transport.consume(queue, prefetch, (delivery) =>
        handler.take(delivery),
      );
      this.subscriptions.push(subscription);
    }
    if (this.closing) await this.close();
  }

  private bindings(): readonly Binding[] {
    const { service, consumes } = this.options;
    const problems = [
      ...consumes
        .filter(({ type }) => !this.messageHandlers.has(type))
        .map(({ type }) => `${type} has no handler`),
      ...[...this.messageHandlers].flatMap(([pattern, handler]) => this.problemsOf(pattern, handler)),
      ...differencesFromCatalogue(service, consumes),
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
    if (!extras) return [`${pattern} has a handler without @HandleEvent`];
    const problems: string[] = [];
    if (handler.next) problems.push(`${pattern} has more than one handler`);
    if (!this.options.consumes.some(({ type }) => type === extras.event.type)) {
      problems.push(`${pattern} has a handler but isn't consumed`);
    }
    return problems;
  }
}

/** One consumed event, and what handles it. */
interface Binding {
  readonly queue: string;
  readonly prefetch: number;
  readonly handlers: EventHandlers;
}

/** Returns the differences between `consumes` and the catalogue of events. */
function differencesFromCatalogue(
  service: string,
  consumes: readonly EventDefinition<string, unknown>[],
): string[] {
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

/** Runs a handler; Nest returns a promise, an observable, or a promise of an observable. */
async function run(handler: MessageHandler | undefined, argument: unknown): Promise<void> {
  const result: unknown = await handler?.(argument);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}
