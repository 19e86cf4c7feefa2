import { UnreadableFileError } from '../../media-format';
import { isSoftwareText } from '../../software-name';
import type { ByteView } from '../byte-view';

/** A box within a view; offsets count from the view's first byte. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** First byte after the header. */
  readonly body: number;
  readonly end: number;
}

/** More boxes than any container of an honest file holds. */
const MAX_BOXES = 2000;

/** Size of a box and of its header as its first bytes tell; null where they make no box. */
export function boxHeader(view: ByteView, at: number, left: number): { size: number; header: number } | null {
  if (left < 8) return null;
  const size = view.u32(at);
  if (size === 0) return { size: left, header: 8 };
  if (size !== 1) return size >= 8 ? { size, header: 8 } : null;
  if (left < 16) return null;
  const large = view.u64(at + 8);
  return large >= 16 ? { size: large, header: 16 } : null;
}

/**
 * The boxes that fill `[from, to)` one after the other, up to the first bytes that are none. Inside a box,
 * size 0 is none: QuickTime ends lists with it.
 */
export function boxesIn(view: ByteView, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to;) {
    const header = boxHeader(view, at, to - at);
    if (!header || view.u32(at) === 0 || at + header.size > to) break;
    if (boxes.length >= MAX_BOXES) throw new UnreadableFileError('A box holds too many others.');
    const end = at + header.size;
    boxes.push({ type: view.ascii(at + 4, 4), start: at, body: at + header.header, end });
    at = end;
  }
  return boxes;
}

/** The first box of `type` in `parent`. */
export function childOf(view: ByteView, parent: Box, type: string): Box | undefined {
  return boxesIn(view, parent.body, parent.end).find((box) => box.type === type);
}

/** Boxes of nothing: room for later, and the end of a list in QuickTime (a box without type or content). */
const EMPTY = /^(?:free|skip|wide)$/;
const TERMINATOR = '\0\0\0\0';

/** Turns a box into a `free` box of the same size that says nothing; one that says no more already stays as it is. */
export function neutralise(view: ByteView, box: Box): void {
  if (box.type === TERMINATOR && box.body === box.end) return;
  if (!isEmptyType(box.type)) view.bytes.set(FREE, box.start + 4);
  else if (box.end - box.body <= MAX_TEXT && isSoftwareText(view.bytes.subarray(box.body, box.end))) return;
  view.bytes.fill(0, box.body, box.end);
}

/** Whether boxes of this type hold nothing, whatever lies in them. */
export function isEmptyType(type: string): boolean {
  return EMPTY.test(type);
}

/** A muxer may leave its name in room that it does not need. */
export const MAX_TEXT = 128;

const FREE = Uint8Array.from('free', (letter) => letter.charCodeAt(0));

/** What becomes of a box: kept as it is, looked into, or treated by a function. Unlisted ones are neutralised. */
export type BoxRule = 'keep' | BoxRules | ((view: ByteView, box: Box) => void);
export interface BoxRules {
  readonly [type: string]: BoxRule;
}

/** Applies `rules` to the boxes in `[from, to)`, in place; bytes after the last box become zero. */
export function scrubBoxes(view: ByteView, from: number, to: number, rules: BoxRules): void {
  const boxes = boxesIn(view, from, to);
  for (const box of boxes) {
    const rule = Object.hasOwn(rules, box.type) ? rules[box.type] : undefined;
    if (rule === undefined) neutralise(view, box);
    else if (typeof rule === 'function') rule(view, box);
    else if (rule !== 'keep') scrubBoxes(view, box.body, box.end, rule);
  }
  view.bytes.fill(0, boxes.at(-1)?.end ?? from, to);
}
