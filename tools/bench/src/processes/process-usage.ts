import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The resources that a process holds. */
export interface ProcessUsage {
  /** Resident memory. */
  readonly mebibytes: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

/** Reads Linux's /proc. Throws when there is no such process. */
export function usageOf(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  // A process that has ended and waits for its parent has no such line.
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  return {
    mebibytes: Math.round(kibibytes / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/**
 * Milliseconds of processor time since a process started, with those of its children that have ended. Throws when there is
 * no such process.
 */
export function processorTimeOf(pid: number): number {
  // The name in parentheses may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return (user + system + endedUser + endedSystem) * TICK_MS;
}

/** The children of a process and their descendants; an empty list when the process has ended. */
export function descendantsOf(pid: number): readonly number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const children = listed.split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return [];
  }
}

/** The resident memory of several processes together, in mebibytes. Processes that have ended count as 0. */
export function residentMebibytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + usageOf(pid).mebibytes;
    } catch {
      return sum;
    }
  }, 0);
}

/** Samples the resident memory of a process and its descendants until it is stopped. */
export class PeakMemory {
  private peak = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number, everyMs = 20) {
    this.timer = setInterval(() => {
      this.peak = Math.max(this.peak, residentMebibytes([pid, ...descendantsOf(pid)]));
    }, everyMs);
  }

  /** Returns the largest sample, in mebibytes; 0 on systems without /proc. */
  stop(): number {
    clearInterval(this.timer);
    return this.peak;
  }
}
