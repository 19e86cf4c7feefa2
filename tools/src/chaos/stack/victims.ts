import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The processes of a stack with this transport. */
export const victimsOf = (bus: Bus): readonly Victim[] =>
  bus === 'rabbitmq' ? VICTIMS : VICTIMS.filter((victim) => victim !== 'rabbitmq');

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
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
