import { Logger } from '@nestjs/common';
import { events } from '@vitrine/contracts';
import { type MessageTransport, queuesOf } from '@vitrine/messaging';
import { errorMessage, Sweep } from '@vitrine/runtime';
import type { BusReportRepository, NewQueueReport, Replay, ReportedLetter } from './bus-report.repository';

/** The largest number of letters in a report, and of characters of a reason. */
const MAX_LETTERS = 20;
const MAX_REASON = 300;
const MAX_REPLAYS = 20;

/**
 * The services whose queues a process manages. media-processor has no database, so upload-service, which sends it
 * its work, does this for it.
 */
const CARE: Readonly<Record<string, readonly string[]>> = {
  'upload-service': ['upload-service', 'media-processor'],
};

/** Replays the dead letters for which somebody has asked, and reports what is in the queues. */
export class BusReportSweep extends Sweep {
  private readonly logger = new Logger(BusReportSweep.name);
  readonly name = 'bus reports';
  readonly intervalSeconds = 10;
  private readonly queues: readonly string[];
  /** The number of dead letters in the last report of this process. */
  private readonly reported = new Map<string, number>();

  constructor(
    private readonly transport: MessageTransport,
    private readonly repository: BusReportRepository,
    /** The service whose process this is. */
    service: string,
  ) {
    super();
    const services = CARE[service] ?? [service];
    this.queues = queuesOf(Object.values(events))
      .map(({ name }) => name)
      .filter((name) => services.some((one) => name.startsWith(`${one}.`)));
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly replayed: number }> {
    // Otherwise this would wait for the bus; vitrine_bus_up shows the outage.
    if (!this.transport.healthy()) return { replayed: 0 };
    let replayed = 0;
    for (const replay of await this.repository.findReplays(this.queues, MAX_REPLAYS)) {
      if (!mayContinue()) break;
      replayed += await this.carryOut(replay).catch((error: unknown) => this.warn(replay.queue, error, 0));
      await this.repository.removeReplay(replay.id);
    }
    const reports: NewQueueReport[] = [];
    const depths = await Promise.all(this.queues.map((queue) => this.transport.depth(queue)));
    for (const [place, queue] of this.queues.entries()) {
      const depth = depths[place];
      if (depth && mayContinue()) reports.push(await this.examine(queue, depth));
    }
    await this.repository.save(reports);
    for (const { queue, dead } of reports) this.reported.set(queue, dead);
    return { replayed };
  }

  private async carryOut({ queue, letter }: Replay): Promise<number> {
    this.reported.delete(queue);
    const ids =
      letter === null ? (await this.transport.listDeadLetters(queue)).map(({ id }) => id) : [letter];
    let replayed = 0;
    for (const id of ids) if (await this.transport.replayDeadLetter(id)) replayed++;
    return replayed;
  }

  private async examine(
    queue: string,
    { waiting, dead }: { readonly waiting: number; readonly dead: number },
  ): Promise<NewQueueReport> {
    // RabbitMQ can only list letters by taking them, so this happens only if there are others.
    const letters = this.reported.get(queue) === dead ? null : await this.listLetters(queue, dead);
    return { queue, waiting, dead, letters };
  }

  private async listLetters(queue: string, dead: number): Promise<readonly ReportedLetter[]> {
    if (dead === 0) return [];
    const letters = await this.transport
      .listDeadLetters(queue)
      .catch((error: unknown) => this.warn(queue, error, []));
    return letters.slice(0, MAX_LETTERS).map(({ id, envelope, reason, attempts, died_at }) => ({
      id,
      type: envelope.type,
      reason: reason.slice(0, MAX_REASON),
      attempts,
      died_at,
    }));
  }

  /** Other queues are reported nevertheless. A user of the broker may lack a right on this one. */
  private warn<Result>(queue: string, error: unknown, instead: Result): Result {
    this.logger.warn(`The dead letters of ${queue} can't be read: ${errorMessage(error)}`);
    return instead;
  }
}
