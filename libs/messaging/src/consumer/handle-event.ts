import { applyDecorators, Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { throwError, type Observable } from 'rxjs';

/** Marks the handlers that belong to EventsTransportStrategy, whatever other microservices an app connects. */
export const EVENTS_TRANSPORT = Symbol('vitrine:events');

export interface HandleEventOptions {
  /** Messages under way at a time in this process; 1 by default. */
  readonly prefetch?: number;
}

/** A message that is about to become a dead letter. */
export interface ExhaustedEvent<Data> {
  readonly envelope: EventEnvelope<Data>;
  /** Tries begun, those that killed their worker among them. */
  readonly attempts: number;
  /** Message of the last error, or that the worker ended without an answer; for logs, not for users. */
  readonly reason: string;
  /** What the handler threw last; absent when its worker was killed. */
  readonly error?: unknown;
}

/** Extras that the decorators leave on the pattern, for the strategy to read. */
export interface HandlerExtras {
  readonly role: 'handler' | 'exhausted';
  readonly event: EventDefinition<string, unknown>;
  readonly prefetch: number;
}

/** The pattern of `@HandleExhausted`; no routing key contains a `#`. */
export const exhaustedPattern = (type: string): string => `${type}#exhausted`;

type Handler<Argument> = (argument: Argument) => Promise<void>;
type HandlerDecorator<Argument> = <Method extends Handler<Argument>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Nest would replace a handler's error by "Internal server error"; retry and dead letters need the error itself. */
@Catch()
class PassErrorsOn implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Binds a controller's method to an event. It is called with the envelope, within its correlation id, and may be
 * called twice for one event, and out of order. Resolving acknowledges; throwing means another try after a growing
 * delay; throwing `TerminalError`, or failing for the last time, makes a dead letter. An `OutageError` loses no try:
 * the event comes again until the outage ends, or it is a day old and its tries count again.
 */
export function HandleEvent<Data>(
  event: EventDefinition<string, Data>,
  { prefetch = 1 }: HandleEventOptions = {},
): HandlerDecorator<EventEnvelope<Data>> {
  return bind(event.type, { role: 'handler', event, prefetch });
}

/**
 * Binds a method that is told of a message before it becomes a dead letter, for the event that must then be
 * published. It may be called twice. While it throws, the message stays in the queue and it is called again later.
 */
export function HandleExhausted<Data>(
  event: EventDefinition<string, Data>,
): HandlerDecorator<ExhaustedEvent<Data>> {
  return bind(exhaustedPattern(event.type), { role: 'exhausted', event, prefetch: 0 });
}

function bind<Argument>(pattern: string, extras: HandlerExtras): HandlerDecorator<Argument> {
  return applyDecorators(
    EventPattern<string>(pattern, EVENTS_TRANSPORT, { ...extras }),
    UseFilters(new PassErrorsOn()),
  );
}
