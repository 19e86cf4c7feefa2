import { applyDecorators, Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { throwError, type Observable } from 'rxjs';

/** The transport id by which Nest gives these handlers to EventsTransportStrategy only. */
export const EVENTS_TRANSPORT = Symbol('vitrine:events');

export interface HandleEventOptions {
  /** Messages in progress at a time in this process; 1 by default. */
  readonly prefetch?: number;
}

/** A message that is about to become a dead letter. */
export interface ExhaustedEvent<Data> {
  readonly envelope: EventEnvelope<Data>;
  /** Number of attempts, including those that killed their process. */
  readonly attempts: number;
  /** Message of the last error, or that the process ended without an answer; for logs, not for users. */
  readonly reason: string;
  /** What the handler threw last; absent if its process was killed. */
  readonly error?: unknown;
}

/** What the decorators attach to a pattern, for the strategy. */
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

/** Nest would replace the error of a handler by "Internal server error"; retries and dead letters need the error itself. */
@Catch()
class PassErrorsOn implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Makes a method of a consumer handle an event. It is called with the envelope, under its correlation id; events may
 * come twice and in any order. If it resolves, the message is acknowledged. If it throws, it is called again after a
 * growing delay. After `TerminalError` or the last attempt the message becomes a dead letter. An `OutageError`
 * doesn't count as an attempt: the event comes again until the outage ends or the event is a day old; from then on
 * attempts count.
 */
export function HandleEvent<Data>(
  event: EventDefinition<string, Data>,
  { prefetch = 1 }: HandleEventOptions = {},
): HandlerDecorator<EventEnvelope<Data>> {
  return bind(event.type, { role: 'handler', event, prefetch });
}

/**
 * Makes a method handle messages before they become dead letters, e.g. to publish a failure event. It may be called twice
 * for a message. If it throws, the message stays in the queue, and the method is called again later.
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
