import { DatabaseConfig, readSchemaState, withClient } from '@vitrine/database';
import { loadConfig } from '@vitrine/runtime';
import type { Client } from 'pg';
import type { Check } from './check';

const OLDEST_MAJOR = 15;
/** api-gateway, upload-service and moderation-service have a pool each; a bus over PostgreSQL needs some more connections. */
const POOLS = 3;
const BESIDE_POOLS = 20;

export const databaseCheck: Check = {
  name: 'database',
  advice: 'Check that PostgreSQL runs and that DATABASE_URL has its address, user and password.',
  async run(environment, report) {
    const { url, poolSize } = loadConfig(DatabaseConfig, environment);
    await withDatabase(url, async (client) => {
      const { rows } = await client.query<{
        version: number;
        readonly: boolean;
        connections: number;
        user: string;
        folds: boolean;
        lacking: string[] | null;
      }>(`
        select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as readonly,
               current_setting('max_connections')::int as connections, current_user as user,
               to_tsvector('simple', 'Über') @@ to_tsquery('simple', 'über') as folds,
               (select array_agg(format('%I.%I', nspname, relname) order by nspname, relname)
                from pg_class join pg_namespace on pg_namespace.oid = relnamespace
                where nspname in ('public', 'bus') and relkind in ('r', 'p') and relname <> 'schema_migrations'
                  and not (has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'insert')
                       and (relname in ('audit_log', 'moderation_decisions')
                            or has_table_privilege(pg_class.oid, 'update') and has_table_privilege(pg_class.oid, 'delete')))
               ) as lacking`);
      const state = rows[0];
      if (!state) throw new Error('it gave no answer');
      if (state.version < OLDEST_MAJOR) {
        report.problem(`PostgreSQL ${state.version} answers`, `Use PostgreSQL ${OLDEST_MAJOR} or later.`);
      } else {
        report.ok(`PostgreSQL ${state.version} answers`);
      }
      if (state.readonly) {
        report.problem(
          'it is a read-only replica',
          'Set DATABASE_URL to the primary; replicas belong in DATABASE_REPLICA_URLS.',
        );
      }
      if (!state.folds) {
        report.warn(
          'it folds the case of ASCII letters only: a search for “über” does not find “Über”',
          'A database keeps the locale with which it was created. Restore it into one created with createdb --template=template0 --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 (PostgreSQL 17 or later), or with a UTF-8 locale of the system.',
        );
      }
      if (state.lacking) {
        report.problem(
          `its user may not read and write ${state.lacking.slice(0, 3).join(', ')}${state.lacking.length > 3 ? ' and others' : ''}`,
          `Run as the owner of the database: npm run admin -- migrate --grant-to ${state.user}`,
        );
      }
      const needed = POOLS * poolSize + BESIDE_POOLS;
      if (needed > state.connections) {
        report.warn(
          `one process of each service may need ${needed} connections, but PostgreSQL allows ${state.connections}`,
          'Lower DATABASE_POOL_SIZE, raise max_connections, or use a connection pooler.',
        );
      }
    });
  },
};

export const migrationsCheck: Check = {
  name: 'migrations',
  advice: 'Solve the problem of the check "database" first.',
  async run(environment, report) {
    const { url } = loadConfig(DatabaseConfig, environment);
    const { needsAdoption, pending, unknown } = await readSchemaState(url);
    if (needsAdoption) {
      report.problem(
        'the schema was made by the steps before the baseline',
        'Run: npm run admin -- adopt-baseline',
      );
      return;
    }
    if (pending.length > 0) {
      report.problem(
        `${pending.length} steps are missing, from ${pending[0]} on`,
        'Run: npm run admin -- migrate',
      );
    }
    if (unknown.length > 0) {
      report.problem(
        `the database is newer than this release: it has ${unknown.join(', ')}`,
        'Run the release that migrated it, or a later one.',
      );
    }
    if (pending.length + unknown.length > 0) return;
    report.ok('the schema matches this release');
    const held = await withDatabase(url, (client) =>
      client.query<{ since: Date }>('select since from deletion_hold'),
    );
    for (const { since } of held.rows)
      report.warn(
        `no files are deleted since ${since.toISOString()}, because the database was restored`,
        'When no file is missing: npm run admin -- hold-deletions --end',
      );
  },
};

export const replicasCheck: Check = {
  name: 'replicas',
  advice: 'Check that each address in DATABASE_REPLICA_URLS can be reached.',
  async run(environment, report) {
    const { replicaUrls, maxLagSeconds } = loadConfig(DatabaseConfig, environment);
    if (replicaUrls.length === 0) return report.skip('DATABASE_REPLICA_URLS is not set');
    for (const [index, url] of replicaUrls.entries()) {
      const name = `replica ${index + 1}`;
      await withDatabase(url, async (client) => {
        const { rows } = await client.query<{ replica: boolean; lag: number | null }>(`
          select pg_is_in_recovery() as replica,
                 case when pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
                      then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::int end as lag`);
        const { replica = false, lag = null } = rows[0] ?? {};
        if (!replica) {
          report.problem(
            `${name} is not a replica: it accepts writes`,
            'Set DATABASE_REPLICA_URLS to streaming replicas.',
          );
        } else if (lag !== null && lag > maxLagSeconds) {
          report.warn(
            `${name} is ${lag} s behind and is not used`,
            'Check its load and its network, or raise DATABASE_REPLICA_MAX_LAG_SECONDS.',
          );
        } else {
          report.ok(`${name} is up to date`);
        }
      });
    }
  },
};

/** Longest time for a connection or a query, in milliseconds. */
const CONNECT_MS = 8_000;

export function withDatabase<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withClient(url, 'vitrine-doctor', work, {
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
}
