import { Pool, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';
import { connectionsOf, type PoolConnections } from '../pool-connections';
import type { PrimaryLog } from './primary-log';
import { Watcher } from './watcher';

/** How a replica is reached, and how old what it answers may be. */
export interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  readonly maxLagMs: number;
  /** PostgreSQL's own settings of each session. */
  readonly timeouts: Readonly<Record<string, number>>;
}

/** It has what was committed up to some moment, or nothing that would do. */
interface Standing {
  readonly askedAt: number;
  /** Null where it is no replica, or where it is older than all that is known of the primary. */
  readonly asOf: number | null;
}

/** What a server says of itself. */
interface Position {
  /** Null where it is not in recovery: then it is no replica. */
  readonly position: number | null;
}

const POSITION = `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::float8 end as position`;

/** A session that has said where it stands is believed for this long. */
const BELIEVED_MS = 1000;

/** A connection that isn't there within this time is not worth waiting for: the primary answers meanwhile. */
const CONNECT_MS = 1000;

/** The session stands on a server that is too far behind, or no replica. */
export class ReplicaBehindError extends Error {
  override readonly name = 'ReplicaBehindError';
}

/**
 * One replica's address. Each of its sessions says for itself where it stands, at most once a second: behind one
 * address there may be several servers. A watcher tells whether the address is of use at all.
 */
export class Replica {
  private readonly pool: Pool;
  private readonly watcher: Watcher;
  private readonly standings = new WeakMap<PoolClient, Standing>();
  private readonly busy = new Set<PoolClient>();
  private latest: Standing | undefined;
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
    // Sessions end with their server, idle ones too; whoever asks something of one is told by the failure of that.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
    this.watcher = new Watcher({ connectionString: url, application_name: `${applicationName} watch` });
  }

  /** Whether it answers, is a replica, and isn't too old. */
  get inUse(): boolean {
    return this.reachable && this.latest !== undefined && this.isYoung(this.latest);
  }

  /** How old its data are at most, in seconds, as far as that is known; null where nothing is known. */
  get lagSeconds(): number | null {
    const from = this.latest?.asOf ?? this.primary.since;
    return from === null ? null : (performance.now() - from) / 1000;
  }

  get connections(): PoolConnections {
    return connectionsOf(this.pool);
  }

  /** Asks it where it stands. Where it doesn't answer, what is asked of it is let go, and fails. */
  async check(): Promise<void> {
    try {
      this.latest = this.standing(await this.watcher.ask<Position>(POSITION));
      this.reachable = true;
    } catch {
      this.giveUp();
    }
  }

  /** Throws whatever went wrong; a read may be put to the primary then. */
  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<Row[]> {
    const client = await this.pool.connect().catch((error: unknown) => {
      // With all its sessions at work it is but busy: one reader goes elsewhere, and the others stay.
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
      // Whatever has failed once, a lost server or a statement that can't be prepared any more, begins anew.
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    this.watcher.close();
    await this.pool.end();
  }

  private async isFresh(client: PoolClient): Promise<boolean> {
    const known = this.standings.get(client);
    if (known && performance.now() - known.askedAt < BELIEVED_MS) return this.isYoung(known);
    const { rows } = await client.query<Position>(POSITION);
    const standing = this.standing(rows[0]);
    this.standings.set(client, standing);
    return this.isYoung(standing);
  }

  private standing(answer: Position | undefined): Standing {
    const position = answer?.position ?? null;
    return {
      askedAt: performance.now(),
      asOf: position === null ? null : this.primary.asOf(position),
    };
  }

  private isYoung({ asOf }: Standing): boolean {
    return asOf !== null && performance.now() - asOf <= this.options.maxLagMs;
  }

  private giveUp(): void {
    this.reachable = false;
    // A server that hangs would keep its callers until the network gives up.
    for (const client of this.busy) void client.end().catch(() => undefined);
  }
}
