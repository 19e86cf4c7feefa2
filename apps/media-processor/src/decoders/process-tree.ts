import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
/** What a tick of processor time is in /proc on every architecture of Linux (USER_HZ is 100). */
const TICK_MS = 10;

/** Bytes of memory that a process may map in addition to twice its limit of resident memory. */
const MAPPED_HEADROOM = 1024 ** 3;

/**
 * The limit of a process's mapped private memory, in bytes, for a limit of resident memory. It is far above that,
 * because stacks, arenas and buffers are mapped generously and used in part. It only stops a program that grows
 * faster than the memory is checked.
 */
export const mappedMemoryLimit = (residentLimit: number): number => 2 * residentLimit + MAPPED_HEADROOM;

/**
 * Bytes of resident memory of a process and of all its descendants, or null if the system has no /proc. Shared pages
 * (mostly code) are counted for each process. A cgroup can't count them here: in containers its files are read-only.
 */
export function residentMemory(pid: number): number | null {
  const own = residentPages(pid);
  if (own === null) return null;
  return own * PAGE_BYTES + childrenOf(pid).reduce((sum, child) => sum + (residentMemory(child) ?? 0), 0);
}

/**
 * Milliseconds of processor time that a process, its descendants, and those of them that have ended have used, or null if
 * the system has no /proc.
 */
export function processorTime(pid: number): number | null {
  // The name in parentheses may contain spaces. Fields 14 to 17 are utime, stime, cutime and cstime (proc(5)).
  const fields = readOrNull(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ').slice(11, 15);
  if (!fields) return null;
  const own = fields.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  return own + childrenOf(pid).reduce((sum, child) => sum + (processorTime(child) ?? 0), 0);
}

function residentPages(pid: number): number | null {
  const statm = readOrNull(`/proc/${pid}/statm`);
  return statm === null ? null : Number(statm.split(' ')[1]);
}

/** The system lists children by the thread that started them. */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    (readOrNull(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
