import { constants, getPriority, setPriority } from 'node:os';

/**
 * How much lower the priority of work on files is than that of requests, which people wait for: these get most of a
 * processor that both need. It is the same for inspecting, decoding and classifying, so that none of them comes
 * before the others.
 */
export const BACKGROUND_NICENESS = 5;

/**
 * Lowers the priority of a child of the same user, or of the calling thread, to `niceness` below that of this process, at
 * most to the lowest one. Call it before the process has threads, because each thread inherits the priority.
 */
export function lowerPriority(niceness: number, pid = 0): void {
  setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
}
