import type { Item, Queue } from './queue';

/** The API's maximum of media in a post. A test compares it; the scripts don't bundle `@vitrine/contracts`. */
export const MAX_POST_MEDIA = 50;

/** Numbers that describe a queue. */
export interface Summary {
  readonly files: number;
  readonly unfinished: number;
  readonly failed: number;
  /** Uploaded, and can be posted. */
  readonly ready: number;
  /** Uploaded, but can't be posted: processing failed, or it was rejected. */
  readonly unfit: number;
  /** Sent share of the bytes, from 0 to 1, without failed files. */
  readonly progress: number;
  /** What the unfinished files wait for. */
  readonly hold: 'offline' | 'loggedOut' | 'paused' | 'limited' | null;
}

export function summaryOf(queue: Queue, now: number): Summary {
  const counts = { unfinished: 0, failed: 0, ready: 0, unfit: 0 };
  let [all, gone] = [0, 0];
  for (const item of queue.items) {
    counts[groupOf(item)]++;
    if (item.stage.name === 'failed') continue;
    all += item.file.size;
    gone += sentBytes(item);
  }
  const progress = all === 0 ? 0 : gone / all;
  return { files: queue.items.length, ...counts, progress, hold: holdOf(queue, now) };
}

/** Items that can be posted, in the order of the page. */
export const postable = (queue: Queue): readonly Item[] =>
  queue.items.filter((item) => groupOf(item) === 'ready');

/** Whether leaving the page would lose something. */
export const hasWork = ({ items }: Queue): boolean => items.some((item) => groupOf(item) !== 'unfit');

function groupOf({ stage }: Item): 'unfinished' | 'failed' | 'ready' | 'unfit' {
  if (stage.name === 'failed') return 'failed';
  if (stage.name !== 'uploaded') return 'unfinished';
  return stage.media.error !== null || stage.media.status === 'rejected' ? 'unfit' : 'ready';
}

/** Sent bytes of the file itself; the request is slightly larger. */
function sentBytes({ file, stage }: Item): number {
  if (stage.name === 'uploaded') return file.size;
  if (stage.name !== 'sending' || stage.total === 0) return 0;
  return file.size * Math.min(1, stage.sent / stage.total);
}

function holdOf({ online, logInPath, paused, limitedUntil }: Queue, now: number): Summary['hold'] {
  if (!online) return 'offline';
  if (logInPath !== null) return 'loggedOut';
  if (paused) return 'paused';
  return limitedUntil > now ? 'limited' : null;
}

/** The announcement of a change for screen readers; null if the change is not announced. */
export function announcementOf(before: Summary, after: Summary): string | null {
  const held = after.unfinished > 0 && after.hold !== before.hold ? HELD[after.hold ?? 'none'] : null;
  const parts = [
    after.files > before.files && `${files(after.files - before.files)} added.`,
    after.failed > before.failed && `${files(after.failed - before.failed)} could not be uploaded.`,
    after.unfit > before.unfit && `${files(after.unfit - before.unfit)} can’t be posted.`,
    held,
    after.unfinished === 0 &&
      (before.unfinished > 0 || after.files > before.files) &&
      after.ready > 0 &&
      `${files(after.ready)} uploaded and ready to post.`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? null : parts.join(' ');
}

const HELD: Readonly<Record<NonNullable<Summary['hold']> | 'none', string>> = {
  offline: 'You are offline. The uploads continue when the connection is back.',
  loggedOut: 'Your session has ended. Log in to continue.',
  paused: 'Uploads paused.',
  limited: 'You have reached the upload limit. The uploads continue later.',
  none: 'The uploads continue.',
};

/** `1 file`, `2 files`. */
export const files = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;
