import type { Client } from 'pg';
import { withClient } from './with-client';

/** A statement that runs longer than this may be waiting for a lock: then it is looked at from another connection. */
const LOOK_AFTER_MS = 60;

export interface Watching {
  /** In words, who kept the statement waiting; as far as it was seen. */
  blockers(): Promise<string>;
  stop(): Promise<void>;
}

interface SessionRow {
  readonly pid: number;
  readonly application: string;
  readonly username: string;
  readonly state: string | null;
  readonly seconds: number | null;
}

const SESSION = `
  select pid, coalesce(nullif(application_name, ''), 'unnamed') as application, coalesce(usename, '') as username, state,
         extract(epoch from now() - xact_start)::int as seconds
  from pg_stat_activity`;

/** Says who holds what a migration waits for. What they run is not told: it may hold values. */
export class LockWatch {
  private readonly told = new Set<string>();

  constructor(
    private readonly url: string,
    private readonly say: (line: string) => void,
  ) {}

  /** Watches the statements of one connection until `stop`; each blocker is told once. */
  start(client: Client & { processID?: number }, name: string): Watching {
    let seen = '';
    let looking: Promise<void> | undefined;
    const look = async (): Promise<void> => {
      const blockers = await this.blockersOf(client.processID ?? 0).catch(() => []);
      if (blockers.length === 0) return;
      seen = `which are held by ${blockers.map(describe).join(', ')}`;
      const who = `${name}: ${blockers.map(({ pid }) => pid).join()}`;
      if (!this.told.has(who)) this.say(`${name} waits for its locks, ${seen}`);
      this.told.add(who);
    };
    // One at a time: a step may take minutes, on a server that is slow to let anybody in.
    const timer = setInterval(() => {
      looking ??= look().finally(() => (looking = undefined));
    }, LOOK_AFTER_MS);
    return {
      blockers: async () => {
        await looking;
        return seen === '' ? 'who holds them was not seen' : seen;
      },
      stop: async () => {
        clearInterval(timer);
        await looking;
      },
    };
  }

  /** In words, the session that holds an advisory lock. */
  async holderOf(client: Client, lock: number): Promise<string> {
    const { rows } = await client.query<SessionRow>(
      `${SESSION} where pid in (
         select pid from pg_locks
         where locktype = 'advisory' and granted and classid = 0 and objid = $1
           and database = (select oid from pg_database where datname = current_database()))`,
      [lock],
    );
    return rows.map(describe).join(', ') || 'it has just ended';
  }

  private blockersOf(pid: number): Promise<readonly SessionRow[]> {
    return withClient(this.url, 'vitrine-migrate-watch', async (client) => {
      const { rows } = await client.query<SessionRow>(
        `${SESSION} where pid = any(pg_blocking_pids($1)) order by xact_start`,
        [pid],
      );
      return rows;
    });
  }
}

const describe = ({ pid, application, username, state, seconds }: SessionRow): string =>
  `session ${pid} of ${username} (${application}, ${state ?? 'unknown'}${
    seconds === null ? '' : `, in a transaction for ${seconds} s`
  })`;
