import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { type OwnStack, type ServiceName, type StackAddresses, type StackOptions, startStack } from './stack';

// The process that starts the stacks which suites borrow, and stops them at the end of the run: when Jest closes the
// channel to it or dies.

/** Processes that stop cleanly take a few seconds, or many on a busy machine. */
const CLOSED_WITHIN_MS = 30_000;

/** A stack that runs, with the tables that were empty when its processes had started. */
interface RunningStack {
  readonly stack: OwnStack;
  readonly emptyTables: readonly string[];
}

interface KeptStack {
  readonly options: StackOptions;
  readonly running: Promise<RunningStack>;
  /** Whether a suite uses it. */
  isLent: boolean;
}

const kept: KeptStack[] = [];
/** Gives back the stack whose database has this address. */
const returns = new Map<string, () => void>();

/**
 * A stack that no suite uses and that has these settings and all processes but, at most, those that the suite doesn't
 * need. One that has no others comes first.
 */
function findFree({ env = {}, without = [] }: StackOptions): KeptStack | undefined {
  const missing = (each: KeptStack): readonly ServiceName[] => each.options.without ?? [];
  return kept
    .filter(
      (each) =>
        !each.isLent &&
        isDeepStrictEqual(each.options.env ?? {}, env) &&
        missing(each).every((name) => without.includes(name)),
    )
    .sort((a, b) => missing(b).length - missing(a).length)[0];
}

/** Stops or continues processes. Stopped ones use no processor time, running ones about 3 % of a core. */
function signal(
  { stack }: RunningStack,
  name: 'SIGSTOP' | 'SIGCONT',
  services: Iterable<ServiceName> = stack.services.keys(),
): void {
  for (const service of services) {
    try {
      process.kill(stack.services.get(service)!.pid, name);
    } catch (error) {
      // What a process that has ended has written is shown when the stack is closed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function start(options: StackOptions): Promise<RunningStack> {
  const stack = await startStack(options);
  const tables = await stack.sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const empty = await stack.sql<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where not exists (select from ${name})`)
      .join(' union all '),
  );
  return { stack, emptyTables: empty.map(({ name }) => name) };
}

const DEADLOCK = '40P01';

/** Empties the tables. Sweeps of the running services lock the same tables, so a deadlock is no error of a test. */
async function truncate(stack: OwnStack, tables: readonly string[]): Promise<void> {
  for (;;) {
    try {
      // One batch of statements is one transaction.
      await stack.sql(
        `alter table audit_log disable trigger audit_log_append_only;
         truncate ${tables.join(', ')};
         alter table audit_log enable trigger audit_log_append_only`,
      );
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK) throw error;
    }
  }
}

async function lend(options: StackOptions): Promise<StackAddresses> {
  const free = findFree(options);
  const chosen = free ?? { options, running: start(options), isLent: true };
  chosen.isLent = true;
  if (!free) kept.push(chosen);
  const running = await chosen.running;
  const { stack, emptyTables } = running;
  if (free) {
    signal(running, 'SIGCONT');
    // Removes what earlier suites have written. Identifiers continue, so that nothing cached fits new rows.
    await truncate(stack, emptyTables);
    // To the suite, a process that is stopped is one that doesn't exist.
    const unwanted = options.without?.filter((name) => stack.services.has(name));
    signal(running, 'SIGSTOP', unwanted ?? []);
  }
  returns.set(stack.databaseUrl, () => {
    // Most stacks wait for most of the run.
    signal(running, 'SIGSTOP');
    chosen.isLent = false;
  });
  const { apiUrl, uploadUrl, cdnUrl, siteUrl, siteServiceKey, databaseUrl } = stack;
  return { apiUrl, uploadUrl, cdnUrl, siteUrl, siteServiceKey, databaseUrl };
}

async function answer(request: IncomingMessage): Promise<StackAddresses | undefined> {
  const body: unknown = JSON.parse(await text(request));
  if (request.method === 'POST') return lend(body as StackOptions);
  returns.get((body as StackAddresses).databaseUrl)?.();
  return undefined;
}

const server = createServer((request, response) => {
  answer(request).then(
    (addresses) => response.end(JSON.stringify(addresses ?? null)),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
});

async function closeAll(): Promise<void> {
  server.close();
  server.closeAllConnections();
  const ends = await Promise.allSettled(
    kept.map(async ({ running }) => {
      const ready = await running;
      signal(ready, 'SIGCONT');
      await ready.stack.close();
    }),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) {
    console.error(failed.reason);
    process.exitCode = 1;
  }
}

// Ctrl-C reaches all processes of the terminal; this one waits for the end of Jest.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.once('disconnect', () => {
  // A stack that is starting while its PostgreSQL has already stopped never becomes ready, so we don't wait for it.
  // Its processes are killed when this process exits.
  setTimeout(() => process.exit(1), CLOSED_WITHIN_MS).unref();
  void closeAll();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
