import { type Environment, parse, Setting } from '@vitrine/runtime';

const postgresUrls = (raw: string): readonly string[] =>
  parse.list(raw).map((word) => {
    try {
      return parse.postgresUrl(word);
    } catch {
      throw new Error('PostgreSQL URLs that name the database, separated by commas');
    }
  });

/** The time that PostgreSQL may take to report that it has cancelled a statement. */
const GRACE_SECONDS = 5;

/** The application's PostgreSQL database (15 or later). */
export class DatabaseConfig {
  @Setting({
    env: 'DATABASE_URL',
    secret: true,
    why: 'PostgreSQL database of the service; npm start without it runs an embedded one.',
    parse: parse.postgresUrl,
    example: 'postgresql://vitrine:secret@db.internal:5432/vitrine',
  })
  url!: string;

  @Setting({
    env: 'DATABASE_LISTEN_URL',
    secret: true,
    why: 'PostgreSQL address for LISTEN, past a pooler that pools transactions; unset: DATABASE_URL.',
    parse: parse.postgresUrl,
    default: (env: Environment) => env['DATABASE_URL']?.trim() ?? '',
    example: 'postgresql://vitrine:secret@db-direct.internal:5432/vitrine',
  })
  listenUrl!: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    why: 'Connections to the database that one process may hold; to each replica it may hold as many again.',
    parse: parse.integer(1, 200),
    default: 6,
    example: '6',
  })
  poolSize!: number;

  @Setting({
    env: 'DATABASE_STATEMENT_TIMEOUT_SECONDS',
    why: 'Seconds after which PostgreSQL cancels a statement or an idle transaction of a request; 0: never, or if a pooler sets it.',
    parse: parse.integer(0, 3600),
    default: 30,
    example: '30',
  })
  statementTimeoutSeconds!: number;

  @Setting({
    env: 'DATABASE_REPLICA_URLS',
    secret: true,
    why: 'Streaming replicas of the database, comma-separated, for lists that may be some seconds old; only the API uses them. Unset: none.',
    parse: postgresUrls,
    default: [],
    example: 'postgresql://vitrine:secret@db-ro.internal:5432/vitrine',
  })
  replicaUrls!: readonly string[];

  @Setting({
    env: 'DATABASE_REPLICA_MAX_LAG_SECONDS',
    why: 'Seconds by which a replica may lag; one that lags more is not used until it has caught up.',
    parse: parse.integer(2, 300),
    default: 5,
    example: '5',
  })
  maxLagSeconds!: number;

  /**
   * PostgreSQL's settings for each session of a pool, in milliseconds. A wait for a lock counts as part of the statement. None
   * behind a pooler, which refuses parameters that it doesn't know: there the role's own settings hold.
   */
  get timeouts(): Readonly<Record<string, number>> {
    const ms = this.statementTimeoutSeconds * 1000;
    return ms === 0 || this.listenUrl !== this.url
      ? {}
      : { statement_timeout: ms, idle_in_transaction_session_timeout: ms };
  }

  /** Milliseconds after which PostgreSQL must have cancelled a statement and reported it; 0: never. */
  get silenceMs(): number {
    return this.statementTimeoutSeconds === 0 ? 0 : (this.statementTimeoutSeconds + GRACE_SECONDS) * 1000;
  }
}
