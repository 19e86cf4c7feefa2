import { Logger } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { withCorrelation } from '@vitrine/runtime';
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
      end(await withCorrelation(delivery.envelope.correlation_id, () => this.run(delivery)));
    } catch (error) {
      this.logger.warn(`${describe(delivery)} couldn't be settled: ${messageOf(error)}`);
      end('lost');
      if (!(error instanceof DeliveryLostError)) await delivery.release().catch(() => undefined);
    }
  }

  private async run(delivery: Delivery): Promise<Ending> {
    const tries = this.retryDelaysMs.length + 1;
    // Seen before the message is looked at: whatever killed its worker so often must not get another one.
    if (delivery.attempt > tries) {
      return this.exhaust(delivery, `No answer after ${tries} tries; the last one ended its worker`);
    }
    try {
      this.checkVersion(delivery.envelope);
      await this.handlers.handle(delivery.envelope);
    } catch (error) {
      if (error instanceof TerminalError || delivery.attempt === tries) {
        return this.exhaust(delivery, messageOf(error), error);
      }
      const delay = this.retryDelaysMs[delivery.attempt - 1] ?? 0;
      this.logger.warn(
        `${describe(delivery)} failed, next try in ${delay} ms: ${messageOf(error)}`,
        error instanceof Error ? error.stack : undefined,
      );
      await delivery.retryLater(delay);
      return 'retried';
    }
    await delivery.acknowledge();
    return 'acknowledged';
  }

  private async exhaust(delivery: Delivery, reason: string, error?: unknown): Promise<Ending> {
    const { envelope, attempt } = delivery;
    try {
      await this.handlers.exhausted?.({ envelope, attempts: attempt, reason, error });
    } catch (failure) {
      if (attempt <= this.retryDelaysMs.length + EXTRA_TRIES) {
        const delay = this.retryDelaysMs.at(-1) ?? 1_000;
        this.logger.error(`${describe(delivery)} can't be given up yet: ${messageOf(failure)}`);
        await delivery.retryLater(delay);
        return 'retried';
      }
      this.logger.error(
        `${describe(delivery)} is given up though nobody could be told: ${messageOf(failure)}`,
      );
    }
    this.logger.error(`${describe(delivery)} is now a dead letter: ${reason}`);
    await delivery.deadLetter(reason);
    return 'dead';
  }

  private checkVersion(envelope: EventEnvelope): void {
    const { version } = this.handlers.event;
    // Not terminal: a newer replica may take the next try while versions roll out.
    if (envelope.version !== version) {
      throw new Error(`Version ${envelope.version} of ${envelope.type} isn't ours, which is ${version}`);
    }
  }
}

const describe = ({ queue, envelope, attempt }: Delivery): string =>
  `${queue} ${envelope.id} (try ${attempt})`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
