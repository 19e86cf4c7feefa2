import { join } from 'node:path';
import type { ToolCommand, Tools } from '../jobs/protocol';
import { type Isolation, isolationsFor, NO_ISOLATION, startIsolated } from './isolation';

const PROBE_TIMEOUT_MS = 30_000;
const STDERR_KEPT = 2000;
const PROBE = join(__dirname, 'probe.js');

/** The chosen isolation, and why better ones were not chosen. */
export interface ChosenIsolation {
  readonly isolation: Isolation;
  /** One sentence each. */
  readonly refused: readonly string[];
}

export interface IsolationOptions {
  readonly tools: Tools;
  /** The folder in which workers get their folders. */
  readonly scratch: string;
  /** The path of the built probe. */
  readonly probe?: string;
}

/**
 * Tries every kind of isolation that this system may support, and returns the first in which a worker can do its
 * work.
 */
export async function chooseIsolation({
  tools,
  scratch,
  probe = PROBE,
}: IsolationOptions): Promise<ChosenIsolation> {
  const trials = trialsOf(tools);
  const refused: string[] = [];
  for (const isolation of await isolationsFor(trials.map(([program]) => program))) {
    try {
      await attempt(isolation, scratch, probe, trials);
      return { isolation, refused };
    } catch (error) {
      refused.push(`${isolation.by}: ${(error as Error).message}`);
    }
  }
  return { isolation: NO_ISOLATION, refused };
}

/** Commands that show whether the programs that a worker starts, or that start it, can be run. */
const trialsOf = ({ ffmpeg, ffprobe, prlimit }: Tools): readonly ToolCommand[] => [
  ...[ffmpeg, ffprobe].flatMap((tool): ToolCommand[] => (tool ? [[...tool, '-version']] : [])),
  ...(prlimit ? [[prlimit, '--version'] as const] : []),
];

async function attempt(
  isolation: Isolation,
  scratch: string,
  probe: string,
  trials: readonly ToolCommand[],
): Promise<void> {
  const folder = isolation.makeFolder(scratch);
  try {
    const command = [...isolation.command(folder), process.execPath];
    const args = [folder?.out ?? '', JSON.stringify(trials)];
    const { child, channel } = startIsolated(isolation, command, probe, { args, env: {} });
    let works = false;
    let stderr = '';
    channel.once('message', () => (works = true));
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('latin1')).slice(-STDERR_KEPT);
    });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, PROBE_TIMEOUT_MS);
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => (works ? resolve() : reject(new Error(reasonIn(stderr)))));
    }).finally(() => clearTimeout(timer));
  } finally {
    await folder?.remove();
  }
}

/** The line of the output with the reason: the first line of an error, or else the last line. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.find((line) => /^\w*Error: |^[\w./-]+: /.test(line)) ??
    lines.at(-1) ??
    'no reason given'
  ).trim();
}
