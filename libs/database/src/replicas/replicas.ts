import { randomInt } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { QueryConfig, QueryResultRow } from 'pg';
import { APPLICATION_NAME } from '../connections/connections';
import { DatabaseConfig } from '../connections/database.config';
import { sqlState } from '@vitrine/runtime';
import { PrimaryLog } from './primary-log';
import { Replica } from './replica';
import { Watcher } from './watcher';

/** The pause between two checks of all servers. */
const CHECK_PAUSE_MS = 1000;

/** SQLSTATE after a timeout or a manual cancel; a conflict with replay is a serialization_failure or ends the session. */
const QUERY_CANCELED = '57014';

const POSITION = `select (pg_current_wal_lsn() - '0/0')::float8 as position`;

/**
 * The replicas of `DATABASE_REPLICA_URLS`. Their answers are never older than `DATABASE_REPLICA_MAX_LAG_SECONDS`; a
 * server that lags more, is unreachable, or is not a replica is not used until that changes.
 */
@Injectable()
export class Replicas implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Replicas.name);
  private readonly primary = new PrimaryLog();
  private readonly watcher: Watcher | undefined;
  private readonly reported = new Map<Replica, boolean>();
  /** In the order of the setting. */
  readonly all: readonly Replica[];
  /**
   * Each process begins with a different one and uses it as long as it works, so that all queries of a page see one
   * server.
   */
  private readonly preferred: readonly Replica[];
  private timer: NodeJS.Timeout | undefined;
  private checking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(config: DatabaseConfig, @Inject(APPLICATION_NAME) applicationName: string) {
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

  /** Runs after the last request. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.checking;
    this.watcher?.close();
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  /**
   * Returns the rows of a read that may be some seconds old. Returns null if the primary must answer: there is no usable
   * replica, or the read failed there (a lost connection, a conflict with replay, or the statement itself, which will
   * fail on the primary too). Rejects if the statement was cancelled, so that the primary doesn't run it for another
   * full time limit.
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
    this.checking = this.checkAll().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.watch(), CHECK_PAUSE_MS).unref();
    });
  }

  private async checkAll(): Promise<void> {
    const at = performance.now();
    // Without an answer from the primary, no mark is added, and the replicas count as older and older.
    const answer = await this.watcher?.ask<{ position: number }>(POSITION).catch(() => undefined);
    if (answer) this.primary.note(at, answer.position);
    await Promise.all(this.all.map((replica) => replica.check()));
    for (const [index, replica] of this.all.entries()) this.report(index, replica);
  }

  private report(index: number, replica: Replica): void {
    const { inUse, lagSeconds } = replica;
    const before = this.reported.get(replica);
    if (before === inUse) return;
    this.reported.set(replica, inUse);
    if (inUse) this.logger.log(`Replica ${index} is in use`);
    else {
      const lag = lagSeconds === null ? '' : `, ${lagSeconds.toFixed(1)} s behind`;
      this.logger.warn(
        `Replica ${index} is not used: it is unreachable, is not a replica, or lags too much${lag}`,
      );
    }
  }
}
