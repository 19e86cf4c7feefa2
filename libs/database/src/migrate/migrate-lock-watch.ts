import { SingleFlight } from '@vitrine/concurrency';
import type { Client } from 'pg';

/** A statement that runs longer than this may be waiting for a lock: another connection then checks that. */
const LOOK_AFTER_MS = 60;

export interface Watching {
  /** Describes the sessions that were last seen blocking the migration, by this attempt or an earlier one. */
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

/** Reports which sessions hold the locks that a migration waits for, without their statements, which may contain values. */
export class LockWatch {
  private readonly reported = new Set<string>();
  /** By migration, the last description of blocking sessions: an attempt may end before its sessions are seen. */
  private readonly seen = new Map<string, string>();

  /** `observer`: a connection of its own, because that of the migration is busy while it waits. */
  constructor(
    private readonly observer: Client,
    private readonly say: (line: string) => void,
  ) {}

  /** Watches the statements of one connection until `stop`; reports each blocking session once. */
  start(client: Client & { processID?: number }, name: string): Watching {
    // One check at a time: a step may take minutes, and a busy server answers late.
    const look = new SingleFlight(async () => {
      const blockers = await this.blockersOf(client.processID ?? 0).catch(() => []);
      if (blockers.length === 0) return;
      const seen = `which are held by ${blockers.map(describe).join(', ')}`;
      this.seen.set(name, seen);
      const who = `${name}: ${blockers.map(({ pid }) => pid).join()}`;
      if (!this.reported.has(who)) this.say(`${name} waits for its locks, ${seen}`);
      this.reported.add(who);
    });
    const timer = setInterval(() => void look.run(), LOOK_AFTER_MS);
    return {
      blockers: async () => {
        await look.current;
        return this.seen.get(name) ?? 'the sessions that hold them were not seen';
      },
      stop: async () => {
        clearInterval(timer);
        await look.current;
      },
    };
  }

  /** Describes the session that holds an advisory lock. */
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

  private async blockersOf(pid: number): Promise<readonly SessionRow[]> {
    const { rows } = await this.observer.query<SessionRow>(
      `${SESSION} where pid = any(pg_blocking_pids($1)) order by xact_start`,
      [pid],
    );
    return rows;
  }
}

const describe = ({ pid, application, username, state, seconds }: SessionRow): string =>
  `session ${pid} of ${username} (${application}, ${state ?? 'unknown'}${
    seconds === null ? '' : `, in a transaction for ${seconds} s`
  })`;
