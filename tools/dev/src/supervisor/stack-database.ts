import { BaselineError, runMigrations } from '@vitrine/database/migrate';
import { EmbeddedPostgres } from '../embedded-postgres/embedded-postgres';
import type { Guard } from '../embedded-postgres/guard';
import { postgresFolder } from '../embedded-postgres/postgres-folder';
import { APPLICATION, BUS, createRolesAndDatabase, limitBusRole } from '../embedded-postgres/vitrine-roles';
import type { Secrets } from '../data-folder/secrets';
import { StartError } from './start-error';

/** The connection strings for the database, and for the bus in it. */
export interface DatabaseAddresses {
  /** The application's role. */
  readonly databaseUrl: string;
  /** A role that may use only the bus; the application's role if we can't create roles in the database. */
  readonly busOnlyUrl: string;
}

const MAX_CONNECTIONS = 100;

/** Starts the embedded PostgreSQL of a data folder, creates its roles and, unless told not to, migrates it to the newest schema. */
export async function startEmbeddedDatabase(
  guard: Guard,
  dataFolder: string,
  secrets: Secrets,
  { migrate = true } = {},
): Promise<{ postgres: EmbeddedPostgres; addresses: DatabaseAddresses }> {
  const postgres = await EmbeddedPostgres.start(guard, {
    folder: postgresFolder(dataFolder),
    superuserPassword: secrets.superuserPassword,
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  });
  const passwords = { application: secrets.databasePassword, bus: secrets.busPassword };
  await createRolesAndDatabase(postgres.superuserUrl(), passwords);
  const databaseUrl = postgres.url(APPLICATION, passwords.application, APPLICATION);
  if (migrate) await runMigrations(databaseUrl).catch(explain);
  await limitBusRole(databaseUrl);
  return { postgres, addresses: { databaseUrl, busOnlyUrl: postgres.url(BUS, passwords.bus, APPLICATION) } };
}

/** Migrates the operator's own database to the newest schema. */
export async function migrateOwnDatabase(databaseUrl: string): Promise<DatabaseAddresses> {
  try {
    await runMigrations(databaseUrl);
  } catch (error) {
    throw new StartError(`The database of DATABASE_URL can't be used: ${describe(error)}`);
  }
  return { databaseUrl, busOnlyUrl: databaseUrl };
}

/** The schema of an earlier version is the operator's to handle, unlike other failures of our own database. */
function explain(error: unknown): never {
  throw error instanceof BaselineError ? new StartError(error.message) : error;
}

/** One line for people; Node wraps failed connections to several addresses in an error without a message. */
function describe(error: unknown): string {
  const messages = [error, (error as Error).cause, ...((error as AggregateError).errors ?? [])]
    .map((one) => (one instanceof Error ? one.message : ''))
    .filter(Boolean);
  return [...new Set(messages)].join(': ');
}
