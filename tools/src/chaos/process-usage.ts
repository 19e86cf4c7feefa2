import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds. */
export interface ProcessUsage {
  /** Resident memory, in mebibytes. */
  readonly mebibytes: number;
  readonly descriptors: number;
}

/** From Linux's /proc. Throws where there is no such process. */
export function usageOf(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return {
    mebibytes: Math.round(kibibytes / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The children of a process and theirs; none where it is gone. */
export function descendantsOf(pid: number): readonly number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const children = listed.split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return [];
  }
}
