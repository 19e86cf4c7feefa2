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
import type { Delivery } from '../transport/message-transport';
import { DeliveryLostError } from '../transport/transport-errors';
import type { ConsumerMetrics, Ending } from './consumer-metrics';
import type { ExhaustedEvent } from './handle-event';
import { TerminalError } from './terminal-error';

/** The handlers of one service for one event. */
export interface EventHandlers {
  readonly event: EventDefinition<string, unknown>;
  readonly handle: (envelope: EventEnvelope) => Promise<void>;
  readonly exhausted?: (exhausted: ExhaustedEvent<unknown>) => Promise<void>;
}

/** How often a failing exhausted handler is called again before the message becomes a dead letter without it. */
const MAX_EXTRA_ATTEMPTS = 20;
/**
 * Until a message is this old, an outage or a rollout doesn't count as an attempt. This is longer than a rollout with
 * a rollback takes, and longer than an outage to which an operator responds. Afterwards its attempts count, so that
 * no message returns without end; a dead letter can be replayed.
 */
const PATIENCE_MS = 24 * 3_600_000;
const MAX_POSTPONEMENT_MS = 120_000;

/** Calls the handlers for each delivery, and settles it. */
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
      this.logger.warn(
        `${describe(delivery)} couldn't be settled and will be delivered again: ${errorMessage(error)}`,
      );
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
    const attempts = this.retryDelaysMs.length + 1;
    if (!this.canRead(delivery.envelope)) return this.rejectVersion(delivery, attempts);
    // Checked before the handler runs: a message that killed its process so often must not kill another one.
    if (delivery.attempt > attempts) {
      return this.exhaust(delivery, `No answer after ${attempts} attempts; the last one ended its process`);
    }
    try {
      await this.handlers.handle(this.inOurVersion(delivery.envelope));
    } catch (error) {
      const isOutage = error instanceof OutageError || isDatabaseOutage(error);
      if (isOutage && isYoung(delivery.envelope)) {
        return this.putBack(delivery, `because of an outage: ${errorMessage(error)}`);
      }
      if (error instanceof TerminalError || delivery.attempt === attempts) {
        return this.exhaust(delivery, errorMessage(error), error);
      }
      const delay = this.retryDelaysMs[delivery.attempt - 1] ?? 0;
      this.logger.warn(
        `${describe(delivery)} failed, next attempt in ${delay} ms: ${errorMessage(error)}`,
        error,
      );
      await delivery.retryLater(delay);
      return 'retried';
    }
    await delivery.acknowledge();
    this.logger.debug(`${describe(delivery)} was handled`);
    return 'acknowledged';
  }

  /**
   * Delivers the message again later, without counting an attempt. The delay grows with the age of the message, and is one of
   * the usual delays, because a transport may keep a queue for each delay.
   */
  private async putBack(delivery: Delivery, why: string): Promise<Ending> {
    const age = ageOf(delivery.envelope);
    const delays = this.retryDelaysMs.map((delay) => Math.min(delay, MAX_POSTPONEMENT_MS));
    const delay = Math.max(delays[0] ?? 1_000, ...delays.filter((each) => each <= age));
    this.logger.warn(`${describe(delivery)} will be delivered again in ${delay} ms ${why}`);
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

  /** Handles a message of an unknown version. No handler is called for it, not even the exhausted handler. */
  private async rejectVersion(delivery: Delivery, attempts: number): Promise<Ending> {
    const { envelope, attempt } = delivery;
    const { version } = this.handlers.event;
    const reason = `Version ${envelope.version} of ${envelope.type} is unknown; this release knows ${version}`;
    // A newer release published it: during a rollout, one of its replicas is running or will be soon.
    if (envelope.version > version && isYoung(envelope)) {
      return this.putBack(delivery, `for a newer release: ${reason}`);
    }
    if (attempt < attempts) {
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
      if (attempt <= this.retryDelaysMs.length + MAX_EXTRA_ATTEMPTS) {
        const delay = this.retryDelaysMs.at(-1) ?? 1_000;
        this.logger.error(
          `${describe(delivery)}: the exhausted handler failed, next attempt in ${delay} ms: ${errorMessage(failure)}`,
        );
        await delivery.retryLater(delay);
        return 'retried';
      }
      this.logger.error(
        `Giving up on ${describe(delivery)}; the exhausted handler also failed: ${errorMessage(failure)}`,
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
  `${queue} ${envelope.id} (attempt ${attempt})`;
