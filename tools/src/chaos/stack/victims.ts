import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresFolder } from '../../embedded-postgres/postgres-folder';
import type { Bus } from '../contract/scenario';

/** The processes that a scenario can kill. */
const VICTIMS = [
  'api-gateway',
  'upload-service',
  'media-processor',
  "media-processor's worker",
  'moderation-service',
  'website',
  'postgres',
  'rabbitmq',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** Longest wait for a victim that isn't running; a process is back within half a minute. */
const VICTIM_PATIENCE_MS = 90_000;

/** The processes of a stack with this transport. */
export const victimsOf = (bus: Bus): readonly Victim[] =>
  bus === 'rabbitmq' ? VICTIMS : VICTIMS.filter((victim) => victim !== 'rabbitmq');

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Kills a process of the stack with SIGKILL, once it runs. Throws if it doesn't run for a minute and a half. */
export async function killVictim(dataFolder: string, victim: Exclude<Victim, 'rabbitmq'>): Promise<void> {
  const deadline = Date.now() + VICTIM_PATIENCE_MS;
  for (;;) {
    const pid = findVictim(victim, dataFolder);
    if (pid !== undefined && endAtOnce(pid)) return;
    if (Date.now() > deadline) throw new Error(`${victim} is no longer running`);
    await pause(50);
  }
}

/** Returns false when the process has already ended. */
function endAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The process id of a victim among our own descendants; undefined while it isn't running. */
export function findVictim(victim: Exclude<Victim, 'rabbitmq'>, dataFolder: string): number | undefined {
  if (victim === 'postgres') return postmaster(dataFolder);
  const ours = descendants(process.pid, listProcesses());
  const serviceOf = (name: string): ProcessEntry | undefined =>
    ours.find(
      ({ command, parent }) => parent === process.pid && command.includes(`/apps/${name}/dist/main.js`),
    );
  if (victim !== "media-processor's worker") return serviceOf(victim)?.pid;
  const processor = serviceOf('media-processor');
  return processor && descendants(processor.pid, ours).at(0)?.pid;
}

function postmaster(dataFolder: string): number | undefined {
  try {
    const [line] = readFileSync(join(postgresFolder(dataFolder), 'cluster', 'postmaster.pid'), 'utf8').split(
      '\n',
    );
    const pid = Number(line);
    return pid > 1 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function descendants(root: number, all: readonly ProcessEntry[]): readonly ProcessEntry[] {
  const children = all.filter(({ parent }) => parent === root);
  return [...children, ...children.flatMap(({ pid }) => descendants(pid, all))];
}

/** Reads Linux's /proc; zombies are left out. */
function listProcesses(): readonly ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ProcessEntry[] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ');
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}
