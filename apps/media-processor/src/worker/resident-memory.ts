import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/**
 * Bytes of resident memory of a process and of the programs it has started, or null where the system has no /proc.
 * Pages that the two share (code, mostly) are counted twice.
 */
export function residentMemory(pid: number): number | null {
  const own = residentPages(pid);
  if (own === null) return null;
  return (own + childrenOf(pid).reduce((sum, child) => sum + (residentPages(child) ?? 0), 0)) * PAGE_BYTES;
}

function residentPages(pid: number): number | null {
  const statm = readOrNull(`/proc/${pid}/statm`);
  return statm === null ? null : Number(statm.split(' ')[1]);
}

function childrenOf(pid: number): number[] {
  const children = readOrNull(`/proc/${pid}/task/${pid}/children`);
  return (children ?? '').split(' ').filter(Boolean).map(Number);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
