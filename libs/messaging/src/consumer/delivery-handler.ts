import { Logger } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import {
  errorMessage,
  failSpan,
  inSpan,
  isDatabaseOutage,
  OutageError,
  underTraceparent,
  withCorrelation,
} from '@vitrine/runtime';
import type { Delivery } from '../message-transport';
import { DeliveryLostError } from '../transport-errors';
import type { ConsumerMetrics, Ending } from './consumer-metrics';
import type { ExhaustedEvent } from './handle-event';
import { TerminalError } from './terminal-error';

/** What one service does with one event. */
export interface EventHandlers {
  readonly event: EventDefinition<string, unknown>;
  readonly handle: (envelope: EventEnvelope) => Promise<void>;
  readonly exhausted?: (exhausted: ExhaustedEvent<unknown>) => Promise<void>;
}

/** A failing exhausted handler is called this many times more before the message is buried without it. */
const EXTRA_TRIES = 20;
/**
 * A message that isn't at fault is put back, uncounted, until it is so old: longer than a rollout takes, a roll back and
 * forth included, and than an outage that somebody sees to. After that its tries count like any other's, so nothing
 * comes again for ever; what is then kept among the dead can be replayed.
 */
const PATIENCE_MS = 24 * 3_600_000;
const LONGEST_POSTPONEMENT_MS = 120_000;

/** Takes one delivery after another through its tries to its end. */
export class DeliveryHandler {
  private readonly logger = new Logger('Bus');

  constructor(
    private readonly handlers: EventHandlers,
    private readonly retryDelaysMs: readonly number[],
    private readonly metrics: ConsumerMetrics,
  ) {}

  /** Calls the handlers and settles the delivery; never rejects. */
  async take(delivery: Delivery): Promise<void> {
    const end = this.metrics.begin(delivery.queue);
    try {
      end(await withCorrelation(delivery.envelope.correlation_id, () => this.trace(delivery)));
    } catch (error) {
      this.logger.warn(`${describe(delivery)} couldn't be settled: ${errorMessage(error)}`);
      end('lost');
      if (!(error instanceof DeliveryLostError)) await delivery.release().catch(() => undefined);
    }
  }

  private trace(delivery: Delivery): Promise<Ending> {
    const { queue, envelope, attempt } = delivery;
    const attributes = {
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.message.id': envelope.id,
      'vitrine.attempt': attempt,
      'vitrine.correlation_id': envelope.correlation_id,
    };
    return underTraceparent(envelope.traceparent, () =>
      inSpan(`process ${queue}`, { kind: 'consumer', attributes }, async (span) => {
        const ending = await this.run(delivery);
        if (ending !== 'acknowledged') failSpan(span, ending);
        return ending;
      }),
    );
  }

  private async run(delivery: Delivery): Promise<Ending> {
    const tries = this.retryDelaysMs.length + 1;
    if (!this.canRead(delivery.envelope)) return this.leaveToOthers(delivery, tries);
    // Seen before the message is looked at: whatever killed its worker so often must not get another one.
    if (delivery.attempt > tries) {
      return this.exhaust(delivery, `No answer after ${tries} tries; the last one ended its worker`);
    }
    try {
      await this.handlers.handle(this.inOurVersion(delivery.envelope));
    } catch (error) {
      const away = error instanceof OutageError || isDatabaseOutage(error);
      if (away && isYoung(delivery.envelope)) {
        return this.putBack(delivery, `waits for an outage to end: ${errorMessage(error)}`);
      }
      if (error instanceof TerminalError || delivery.attempt === tries) {
        return this.exhaust(delivery, errorMessage(error), error);
      }
      const delay = this.retryDelaysMs[delivery.attempt - 1] ?? 0;
      this.logger.warn(
        `${describe(delivery)} failed, next try in ${delay} ms: ${errorMessage(error)}`,
        error,
      );
      await delivery.retryLater(delay);
      return 'retried';
    }
    await delivery.acknowledge();
    this.logger.debug(`${describe(delivery)} is done`);
    return 'acknowledged';
  }

  /** It costs no try. Delays are the usual ones, each once the message is as old: a transport may keep a queue for each. */
  private async putBack(delivery: Delivery, why: string): Promise<Ending> {
    const age = ageOf(delivery.envelope);
    const delays = this.retryDelaysMs.map((delay) => Math.min(delay, LONGEST_POSTPONEMENT_MS));
    const delay = Math.max(delays[0] ?? 1_000, ...delays.filter((each) => each <= age));
    this.logger.warn(`${describe(delivery)} comes again in ${delay} ms, ${why}`);
    await delivery.postpone(delay);
    return 'retried';
  }

  private canRead({ version }: EventEnvelope): boolean {
    const { event } = this.handlers;
    return version === event.version || event.accepts.some((older) => older.version === version);
  }

  private inOurVersion(envelope: EventEnvelope): EventEnvelope {
    const { version, accepts } = this.handlers.event;
    const older = accepts.find((accepted) => accepted.version === envelope.version);
    return older ? { ...envelope, version, data: older.upgrade(envelope.data as never) } : envelope;
  }

  /** Nothing of a payload that can't be read may be acted on: no handler is called, not even at the end. */
  private async leaveToOthers(delivery: Delivery, tries: number): Promise<Ending> {
    const { envelope, attempt } = delivery;
    const { version } = this.handlers.event;
    const reason = `Version ${envelope.version} of ${envelope.type} isn't ours, which is ${version}`;
    // It is for a replica of a newer release: while versions roll out one is there, or soon will be.
    if (envelope.version > version && isYoung(envelope)) {
      return this.putBack(delivery, `left to a newer release: ${reason}`);
    }
    if (attempt < tries) {
      this.logger.warn(`${describe(delivery)} failed: ${reason}`);
      await delivery.retryLater(this.retryDelaysMs[attempt - 1] ?? 0);
      return 'retried';
    }
    this.logger.error(`${describe(delivery)} is now a dead letter: ${reason}`);
    await delivery.deadLetter(reason);
    return 'dead';
  }

  private async exhaust(delivery: Delivery, reason: string, error?: unknown): Promise<Ending> {
    const { attempt } = delivery;
    try {
      const envelope = this.inOurVersion(delivery.envelope);
      await this.handlers.exhausted?.({ envelope, attempts: attempt, reason, error });
    } catch (failure) {
      if (attempt <= this.retryDelaysMs.length + EXTRA_TRIES) {
        const delay = this.retryDelaysMs.at(-1) ?? 1_000;
        this.logger.error(`${describe(delivery)} can't be given up yet: ${errorMessage(failure)}`);
        await delivery.retryLater(delay);
        return 'retried';
      }
      this.logger.error(
        `${describe(delivery)} is given up though nobody could be told: ${errorMessage(failure)}`,
      );
    }
    this.logger.error(`${describe(delivery)} is now a dead letter: ${reason}`);
    await delivery.deadLetter(reason);
    return 'dead';
  }
}

/** Milliseconds. */
const ageOf = ({ occurred_at }: EventEnvelope): number => Date.now() - Date.parse(occurred_at);

const isYoung = (envelope: EventEnvelope): boolean => ageOf(envelope) < PATIENCE_MS;

const describe = ({ queue, envelope, attempt }: Delivery): string =>
  `${queue} ${envelope.id} (try ${attempt})`;
