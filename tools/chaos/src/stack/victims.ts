import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresFolder } from '@vitrine/dev';
import { descendantsOf } from '@vitrine/bench';
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

/** The first `count` of these victims, which are repeated in their order. */
export const inTurn = (victims: readonly Victim[], count: number): readonly Victim[] =>
  Array.from({ length: count }, (_, index) => victims[index % victims.length]!);

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
  const isWorker = victim === "media-processor's worker";
  const main = `/apps/${isWorker ? 'media-processor' : victim}/dist/main.js`;
  const service = descendantsOf(process.pid).find((pid) => commandOf(pid).includes(main));
  if (!isWorker || service === undefined) return service;
  return descendantsOf(service).find((pid) => commandOf(pid) !== '');
}

/** The command line of a process; empty for one that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
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
