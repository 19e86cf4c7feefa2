import { randomInt } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { QueryConfig, QueryResultRow } from 'pg';
import { APPLICATION_NAME } from '../application-name';
import { DatabaseConfig } from '../database.config';
import { sqlState } from '@vitrine/runtime';
import { PrimaryLog } from './primary-log';
import { Replica } from './replica';
import { Watcher } from './watcher';

/** Between the end of one look at all servers and the next. */
const LOOK_EVERY_MS = 1000;

/** By a timeout or by hand; a conflict with what the replica replays is a serialization_failure, or ends the session. */
const QUERY_CANCELED = '57014';

const POSITION = `select (pg_current_wal_lsn() - '0/0')::float8 as position`;

/**
 * The replicas of `DATABASE_REPLICA_URLS`. What one of them answers is never older than
 * `DATABASE_REPLICA_MAX_LAG_SECONDS`; one that is older, away, or no replica is left out until it is well again.
 */
@Injectable()
export class Replicas implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Replicas.name);
  private readonly primary = new PrimaryLog();
  private readonly watcher: Watcher | undefined;
  private readonly told = new Map<Replica, boolean>();
  /** In the order of the setting. */
  readonly all: readonly Replica[];
  /** Each process begins elsewhere, and keeps to one as long as it is well: a page comes from one server. */
  private readonly preferred: readonly Replica[];
  private timer: NodeJS.Timeout | undefined;
  private look: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    @Inject(DatabaseConfig) config: DatabaseConfig,
    @Inject(APPLICATION_NAME) applicationName: string,
  ) {
    const { poolSize, maxLagSeconds, timeouts } = config;
    const options = { applicationName, poolSize, timeouts, maxLagMs: maxLagSeconds * 1000 };
    this.all = config.replicaUrls.map((url) => new Replica({ ...options, url }, this.primary));
    const first = this.all.length > 0 ? randomInt(this.all.length) : 0;
    this.preferred = [...this.all.slice(first), ...this.all.slice(0, first)];
    if (this.all.length > 0) {
      this.watcher = new Watcher({
        connectionString: config.url,
        application_name: `${applicationName} watch`,
      });
    }
  }

  onApplicationBootstrap(): void {
    if (this.all.length > 0) this.watch();
  }

  /** After the last request. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.look;
    this.watcher?.close();
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  /**
   * The rows of a read that may be some seconds old; null where the primary must be asked: because there is no
   * replica to ask, or because the one that was asked failed, whatever of (a lost connection, a conflict with what it
   * replays): if it is the statement's own fault, the primary will say so. Throws where the statement was cancelled: it
   * had its time, or somebody wanted it to end, and the primary is not to bear it a second time.
   */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[] | null> {
    const replica = this.preferred.find(({ inUse }) => inUse);
    if (!replica) return null;
    try {
      return await replica.query<Row>(statement);
    } catch (error) {
      if (sqlState(error) === QUERY_CANCELED) throw error;
      return null;
    }
  }

  private watch(): void {
    this.look = this.lookOnce().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.watch(), LOOK_EVERY_MS).unref();
    });
  }

  private async lookOnce(): Promise<void> {
    const at = performance.now();
    // Where the primary is away, its log stands still as far as we know, and the replicas grow old.
    const answer = await this.watcher?.ask<{ position: number }>(POSITION).catch(() => undefined);
    if (answer) this.primary.note(at, answer.position);
    await Promise.all(this.all.map((replica) => replica.check()));
    for (const [index, replica] of this.all.entries()) this.tell(index, replica);
  }

  private tell(index: number, replica: Replica): void {
    const { inUse, lagSeconds } = replica;
    const before = this.told.get(replica);
    if (before === inUse) return;
    this.told.set(replica, inUse);
    if (inUse) this.logger.log(`Replica ${index} is in use`);
    else {
      const lag = lagSeconds === null ? '' : `, ${lagSeconds.toFixed(1)} s behind`;
      this.logger.warn(`Replica ${index} is left out: it is away, no replica, or too old${lag}`);
    }
  }
}
