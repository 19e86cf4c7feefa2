import { Pool, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';
import { connectionsOf, type PoolConnections } from '../connections/connections';
import type { PrimaryLog } from './primary-log';
import { Watcher } from './watcher';

/** The address of a replica, and how old its answers may be. */
export interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  readonly maxLagMs: number;
  /** PostgreSQL's settings for each session. */
  readonly timeouts: Readonly<Record<string, number>>;
}

/** How old the data of a session's server are. */
interface Freshness {
  readonly askedAt: number;
  /** The time up to which it has everything; null if it is not a replica, or older than all known marks of the primary. */
  readonly asOf: number | null;
}

/** The answer of a server to `POSITION`. */
interface Position {
  /** Null if it is not in recovery, and so no replica. */
  readonly position: number | null;
}

const POSITION = `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::float8 end as position`;

/** How long the answer of a session stays valid. */
const VALID_MS = 1000;

/** A replica that doesn't connect within this time is skipped; the primary answers instead. */
const CONNECT_MS = 1000;

/** The server of the session lags too far behind, or is not a replica. */
class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError';
}

/**
 * One replica's address. Each session checks its own position, at most once a second, because several servers may share
 * an address. A watcher decides whether the address is used at all.
 */
export class Replica {
  private readonly pool: Pool;
  private readonly watcher: Watcher;
  private readonly freshness = new WeakMap<PoolClient, Freshness>();
  private readonly busy = new Set<PoolClient>();
  private latest: Freshness | undefined;
  private reachable = false;

  constructor(
    private readonly options: ReplicaOptions,
    private readonly primary: PrimaryLog,
  ) {
    const { url, poolSize, applicationName, timeouts } = options;
    this.pool = new Pool({
      connectionString: url,
      max: poolSize,
      application_name: `${applicationName} replica`,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      ...timeouts,
    });
    // Sessions end with their server, idle ones too; a running query fails by itself.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
    this.watcher = new Watcher({ connectionString: url, application_name: `${applicationName} watch` });
  }

  /** Whether it answers, is a replica, and doesn't lag too much. */
  get inUse(): boolean {
    return this.reachable && this.latest !== undefined && this.isYoung(this.latest);
  }

  /** The maximum age of its data in seconds, as far as known; null if nothing is known. */
  get lagSeconds(): number | null {
    const from = this.latest?.asOf ?? this.primary.since;
    return from === null ? null : (performance.now() - from) / 1000;
  }

  get connections(): PoolConnections {
    return connectionsOf(this.pool);
  }

  /** Asks for its position. If it doesn't answer, its running queries fail. */
  async check(): Promise<void> {
    try {
      this.latest = this.freshnessOf(await this.watcher.ask<Position>(POSITION));
      this.reachable = true;
    } catch {
      this.giveUp();
    }
  }

  /** Runs a read. Rejects with any error; the read can then go to the primary. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    const client = await this.pool.connect().catch((error: unknown) => {
      // If all its sessions are in use it is only busy: this read goes elsewhere, and the others stay.
      if (this.busy.size < this.options.poolSize) this.reachable = false;
      throw error;
    });
    this.busy.add(client);
    let broken = true;
    try {
      if (!(await this.isFresh(client))) {
        broken = false;
        throw new ReplicaBehindError('A session of a replica is too far behind');
      }
      const { rows } = await client.query<Row>(statement);
      broken = false;
      return rows;
    } finally {
      this.busy.delete(client);
      // After any failure, such as a lost server or an invalid prepared statement, the session is replaced.
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    this.watcher.close();
    await this.pool.end();
  }

  private async isFresh(client: PoolClient): Promise<boolean> {
    const known = this.freshness.get(client);
    if (known && performance.now() - known.askedAt < VALID_MS) return this.isYoung(known);
    const { rows } = await client.query<Position>(POSITION);
    const current = this.freshnessOf(rows[0]);
    this.freshness.set(client, current);
    return this.isYoung(current);
  }

  private freshnessOf(answer: Position | undefined): Freshness {
    const position = answer?.position ?? null;
    return {
      askedAt: performance.now(),
      asOf: position === null ? null : this.primary.asOf(position),
    };
  }

  private isYoung({ asOf }: Freshness): boolean {
    return asOf !== null && performance.now() - asOf <= this.options.maxLagMs;
  }

  private giveUp(): void {
    this.reachable = false;
    // A server that hangs would block its callers until the network times out.
    for (const client of this.busy) void client.end().catch(() => undefined);
  }
}
