import { parse, Setting } from '@vitrine/runtime';

const postgresUrls = (raw: string): readonly string[] =>
  parse.list(raw).map((word) => {
    try {
      return parse.postgresUrl(word);
    } catch {
      throw new Error('PostgreSQL URLs that name the database, with commas between them');
    }
  });

/** What PostgreSQL may take to say that it has ended a statement. */
const GRACE_SECONDS = 5;

/** The application's PostgreSQL database (15 or later). */
export class DatabaseConfig {
  @Setting({
    env: 'DATABASE_URL',
    why: 'PostgreSQL database of the service; npm start without it runs an embedded one.',
    parse: parse.postgresUrl,
    example: 'postgresql://vitrine:secret@db.internal:5432/vitrine',
  })
  url!: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    why: 'Connections that one process may hold; where there are replicas, as many again to each.',
    parse: parse.integer(1, 200),
    default: 10,
    example: '10',
  })
  poolSize!: number;

  @Setting({
    env: 'DATABASE_STATEMENT_TIMEOUT_SECONDS',
    why: 'Seconds after which PostgreSQL ends a statement of a request, or a transaction that idles; 0: never, or set in a pooler.',
    parse: parse.integer(0, 3600),
    default: 30,
    example: '30',
  })
  statementTimeoutSeconds!: number;

  @Setting({
    env: 'DATABASE_REPLICA_URLS',
    why: 'Streaming replicas of the database, comma-separated, that answer strangers’ lists; of use to the API alone. Unset: none.',
    parse: postgresUrls,
    default: [],
    example: 'postgresql://vitrine:secret@db-ro.internal:5432/vitrine',
  })
  replicaUrls!: readonly string[];

  @Setting({
    env: 'DATABASE_REPLICA_MAX_LAG_SECONDS',
    why: 'How old a replica’s answer may be; an older replica is left out until it has caught up.',
    parse: parse.integer(2, 300),
    default: 5,
    example: '5',
  })
  maxLagSeconds!: number;

  /** PostgreSQL's settings of each session in a pool, in milliseconds. A wait for a lock is part of its statement. */
  get timeouts(): Readonly<Record<string, number>> {
    const ms = this.statementTimeoutSeconds * 1000;
    return ms === 0 ? {} : { statement_timeout: ms, idle_in_transaction_session_timeout: ms };
  }

  /** Milliseconds after which a statement should have been ended by PostgreSQL, and been told so; 0: never. */
  get silenceMs(): number {
    return this.statementTimeoutSeconds === 0 ? 0 : (this.statementTimeoutSeconds + GRACE_SECONDS) * 1000;
  }
}
