import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { events, objectKeys } from '@vitrine/contracts';
import { createTransport, type MessageTransport, queuesOf } from '@vitrine/messaging';
import { Client } from 'pg';
import { SERVICE_NAMES } from '../supervisor/services';
import type { ChaosStack } from './chaos-stack';

export interface Quiet {
  /** From the call until nothing waited any more. */
  readonly seconds: number;
  /** What still waited when there was no more hope, and every dead letter; one sentence each. */
  readonly breaches: readonly string[];
}

export interface MediaRow {
  readonly slug: string;
  /** SHA-256 of the file as it came, hexadecimal. */
  readonly received: string;
  /** SHA-256 of the original as it is served, hexadecimal. */
  readonly stored: string;
}

/** Quiet may take as long as it likes while there is progress; without any for this long, something is stuck. */
const STUCK_MS = 180_000;
const POLL_MS = 500;
const REPORT_MS = 10_000;
/** Of every service that must act on an event. */
export const QUEUES = queuesOf(Object.values(events));

/**
 * Waits until nothing is left to do: every process is ready, no media waits for its variants or its decision, nothing
 * lies in the outbox or in a queue, and no object, no temporary file waits for a sweeper.
 */
export async function untilQuiet(stack: ChaosStack, say: (line: string) => void): Promise<Quiet> {
  const began = Date.now();
  const database = await connectWhenBack(stack.databaseUrl);
  const transport = createTransport({ url: stack.busUrl, publishTimeoutMs: 10_000 }, 'chaos');
  const breaches: string[] = [];
  try {
    // Only what was declared here is looked through for dead letters.
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
  // Listing every object is for the end.
  if (busy.length > 0) return busy;
  const orphans = await findOrphans(stack, database);
  const temporary = await findTemporary(stack);
  return [
    ...(orphans.length > 0 ? [`${orphans.length} objects without a media, such as ${orphans[0]}`] : []),
    ...(temporary.length > 0 ? [`${temporary.length} temporary files, such as ${temporary[0]}`] : []),
  ];
}

/** A process that was killed may be on its way back still. */
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
  const { storage } = stack;
  const orphans: string[] = [];
  for (const prefix of objectKeys.roots) {
    for await (const { key } of storage.list(prefix)) {
      const slug = /^(?:f|frames)\/([A-Za-z0-9]{7})/.exec(key)?.[1];
      if (slug === undefined || !rows.has(slug)) orphans.push(key);
    }
  }
  return orphans;
}

async function findTemporary(stack: ChaosStack): Promise<string[]> {
  const scratch = await stack.storage.scratchDirectory();
  const names = await Promise.all(
    [scratch, stack.temporaryFolder].map(async (folder) =>
      // Each running worker keeps a folder, which is empty between two jobs.
      (await readdir(folder))
        .filter((name) => !name.startsWith('vitrine-worker-'))
        .map((name) => join(folder, name)),
    ),
  );
  return names.flat();
}

/** A connection to the database, which may be down for the moment; for whoever breaks it last. */
export async function connectWhenBack(url: string): Promise<Client> {
  const deadline = Date.now() + STUCK_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}

export async function readMediaRows(database: Client): Promise<ReadonlyMap<string, MediaRow>> {
  const { rows } = await database.query<MediaRow>(
    `select slug, encode(received_sha256, 'hex') as received, encode(stored_sha256, 'hex') as stored from media`,
  );
  return new Map(rows.map((row) => [row.slug, row]));
}
