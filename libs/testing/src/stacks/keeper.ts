import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LoanRequest } from './borrowed-stack';
import { type OwnStack, type StackAddresses, type StackOptions, startStack } from './stack';

// The process that starts the stacks which suites borrow, once for each of Jest's workers, and stops them at the end of
// the run: when Jest closes the channel to it or dies.

/** Processes that stop cleanly take a few seconds, or many on a busy machine. */
const CLOSED_WITHIN_MS = 30_000;

/** A stack with the tables that were empty when its processes had started. */
interface KeptStack {
  readonly stack: OwnStack;
  readonly emptyTables: readonly string[];
}

const kept = new Map<string, Promise<KeptStack>>();

const keyOf = ({ borrower, options }: LoanRequest): string => JSON.stringify([borrower, options]);

/** Stops or continues the processes of a stack. Stopped ones use no processor time, running ones about 3 % of a core. */
function signal({ stack }: KeptStack, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of stack.services.values()) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // What a process that has ended has written is shown when the stack is closed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function start(options: StackOptions): Promise<KeptStack> {
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
        `alter table audit_log disable trigger audit_log_no_truncate;
         truncate ${tables.join(', ')};
         alter table audit_log enable trigger audit_log_no_truncate`,
      );
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK) throw error;
    }
  }
}

async function prepareStack(loan: LoanRequest): Promise<StackAddresses> {
  const key = keyOf(loan);
  const known = kept.get(key);
  const starting = known ?? start(loan.options);
  kept.set(key, starting);
  const ready = await starting;
  const { stack, emptyTables } = ready;
  if (known) {
    signal(ready, 'SIGCONT');
    // Removes what earlier suites have written. Identifiers continue, so that nothing cached fits new rows.
    await truncate(stack, emptyTables);
  }
  const { apiUrl, uploadUrl, cdnUrl, siteUrl, siteServiceKey, databaseUrl } = stack;
  return { apiUrl, uploadUrl, cdnUrl, siteUrl, siteServiceKey, databaseUrl };
}

/** Pauses the stack: each worker runs one suite at a time, so that most stacks wait for most of the run. */
async function takeBack(loan: LoanRequest): Promise<void> {
  const known = await kept.get(keyOf(loan));
  if (known) signal(known, 'SIGSTOP');
}

async function answer(request: IncomingMessage): Promise<StackAddresses | undefined> {
  const loan = JSON.parse(await text(request)) as LoanRequest;
  if (request.method === 'POST') return prepareStack(loan);
  await takeBack(loan);
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
    [...kept.values()].map(async (starting) => {
      const ready = await starting;
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
