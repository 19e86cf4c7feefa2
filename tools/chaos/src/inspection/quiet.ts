import { setTimeout as pause } from 'node:timers/promises';
import { events, objectKeys } from '@vitrine/contracts';
import { type MessageTransport, queuesOf } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { Client } from 'pg';
import { SERVICE_NAMES } from '@vitrine/dev';
import type { ChaosStack } from '../stack/chaos-stack';

export interface Quiet {
  /** From the call until no work was left. */
  readonly seconds: number;
  /** The work that was left when progress stopped, and every dead letter; one sentence each. */
  readonly breaches: readonly string[];
}

export interface MediaRow {
  readonly slug: string;
  /** SHA-256 of the uploaded file, hexadecimal. */
  readonly received: string;
  /** SHA-256 of the original as stored, hexadecimal. */
  readonly stored: string;
}

/** Work counts as stuck when there is no progress for this long. */
const STUCK_MS = 180_000;
const POLL_MS = 500;
const REPORT_MS = 10_000;
/** The queues of every service that consumes an event. */
export const QUEUES = queuesOf(Object.values(events));

/**
 * Waits until no work is left: every process is ready, no media item waits for its variants or its decision, the outbox and
 * the queues are empty, and there is no orphaned object and no temporary file.
 */
export async function untilQuiet(stack: ChaosStack, say: (line: string) => void): Promise<Quiet> {
  const began = Date.now();
  const database = await connectWhenBack(stack.databaseUrl);
  const transport = createTransport({ url: stack.busUrl }, 'chaos');
  const breaches: string[] = [];
  try {
    // Only queues that this transport declared are searched for dead letters.
    await transport.declare(QUEUES);
    let nextReportAt = Date.now() + REPORT_MS;
    let last = { waiting: '', at: Date.now() };
    for (;;) {
      const waiting = await findWaiting(stack, database, transport);
      if (waiting.join() !== last.waiting) last = { waiting: waiting.join(), at: Date.now() };
      if (waiting.length === 0 || Date.now() > last.at + STUCK_MS) {
        breaches.push(...waiting.map((what) => `Still waiting: ${what}`));
        break;
      }
      if (Date.now() > nextReportAt) {
        nextReportAt += REPORT_MS;
        say(`still waiting: ${waiting.join(', ')}`);
      }
      await pause(POLL_MS);
    }
    const seconds = (Date.now() - began) / 1000;
    for (const { queue, reason, envelope } of await transport.listDeadLetters()) {
      breaches.push(`Dead letter in ${queue}: ${reason} ${JSON.stringify(envelope.data)}`);
    }
    return { seconds, breaches };
  } finally {
    await transport.close();
    await database.end();
  }
}

async function findWaiting(
  stack: ChaosStack,
  database: Client,
  transport: MessageTransport,
): Promise<string[]> {
  const { rows } = await database.query<Record<string, string>>(`
    select (select count(*) from media where not processed and processing_error is null) as "media unprocessed",
           (select count(*) from media where decided_at is null) as "media undecided",
           (select count(*) from outbox) as "rows in the outbox"`);
  const waiting = Object.entries(rows[0] ?? {}).map(([what, count]) => ({ what, count: Number(count) }));
  for (const { name } of QUEUES) {
    waiting.push({ what: `in ${name}`, count: (await transport.depth(name)).waiting });
  }
  const busy = [
    ...(await findUnready(stack)),
    ...waiting.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`),
  ];
  // Listing every object is slow, so it happens last.
  if (busy.length > 0) return busy;
  const orphans = await findOrphans(stack, database);
  const temporary = await stack.temporaryFiles();
  return [
    ...(orphans.length > 0 ? [`${orphans.length} objects without a media item, such as ${orphans[0]}`] : []),
    ...(temporary.length > 0 ? [`${temporary.length} temporary files, such as ${temporary[0]}`] : []),
  ];
}

/** Finds processes that aren't ready, e.g. because they were killed and restart. */
async function findUnready(stack: ChaosStack): Promise<string[]> {
  const states = await Promise.all(
    SERVICE_NAMES.map(async (name) => {
      const answer = await fetch(`${stack.managementUrl(name)}/health/ready`).catch(() => undefined);
      await answer?.arrayBuffer();
      return { name, ready: answer?.status === 200 };
    }),
  );
  return states.filter(({ ready }) => !ready).map(({ name }) => `for ${name} to be ready`);
}

async function findOrphans(stack: ChaosStack, database: Client): Promise<string[]> {
  const rows = await readMediaRows(database);
  const { rows: sharedFiles } = await database.query<{ key: string }>('select key from shared_files');
  const shared = new Set(sharedFiles.map(({ key }) => key));
  const { storage } = stack;
  const orphans: string[] = [];
  for (const prefix of objectKeys.roots) {
    for await (const { key } of storage.list(prefix)) {
      const slug = /^(?:f|frames)\/([A-Za-z0-9]{7})/.exec(key)?.[1];
      if ((slug === undefined || !rows.has(slug)) && !shared.has(key)) orphans.push(key);
    }
  }
  return orphans;
}

/** Connects to the database as soon as it accepts connections; throws after three minutes. */
export async function connectWhenBack(url: string): Promise<Client> {
  const deadline = Date.now() + STUCK_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    // If PostgreSQL is killed, the statement in progress fails, and so does the next one.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}

/** Runs a statement as soon as the database accepts connections; returns its rows. */
export async function queryWhenBack<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const database = await connectWhenBack(url);
  try {
    return (await database.query<Row>(sql)).rows;
  } finally {
    await database.end();
  }
}

export async function readMediaRows(database: Client): Promise<ReadonlyMap<string, MediaRow>> {
  const { rows } = await database.query<MediaRow>(
    `select slug, encode(received_sha256, 'hex') as received, encode(stored_sha256, 'hex') as stored from media`,
  );
  return new Map(rows.map((row) => [row.slug, row]));
}
