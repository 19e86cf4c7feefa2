import type { ByteView } from '../bytes/byte-view';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { isSoftwareText } from '../metadata/software-name';
import { boxSizes, type Box } from './boxes';

/** No real file has so many boxes in one container. */
const MAX_BOXES = 2000;

/**
 * The boxes that follow each other in `[from, to)`, up to the first bytes that are no box. Size 0 ends the list,
 * because QuickTime ends lists with it.
 */
export function boxesIn(view: ByteView, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to;) {
    const header = boxSizes(view, at, to - at);
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

/** Boxes without content: reserved room, and QuickTime's end of a list (a box without type or content). */
const EMPTY = /^(?:free|skip|wide)$/;
const TERMINATOR = '\0\0\0\0';

/**
 * Turns a box into an empty `free` box of the same size. An empty box stays as it is, also if it holds the name of a
 * program.
 */
export function neutralise(view: ByteView, box: Box): void {
  if (box.type === TERMINATOR && box.body === box.end) return;
  if (!isEmptyType(box.type)) view.bytes.set(FREE, box.start + 4);
  else if (box.end - box.body <= MAX_TEXT && isSoftwareText(view.bytes.subarray(box.body, box.end))) return;
  view.bytes.fill(0, box.body, box.end);
}

/** Whether boxes of this type hold nothing, whatever their content is. */
export function isEmptyType(type: string): boolean {
  return EMPTY.test(type);
}

/** A muxer may leave its name in room that it reserved. */
export const MAX_TEXT = 128;

const FREE = asciiBytes('free');

/**
 * What to do with a box: keep it, apply rules to its children, or call a function. Boxes without a rule are
 * neutralised.
 */
export type BoxRule = 'keep' | BoxRules | ((view: ByteView, box: Box) => void);
export interface BoxRules {
  readonly [type: string]: BoxRule;
}

/** Applies `rules` to the boxes in `[from, to)`, in place. Bytes after the last box become zero. */
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
