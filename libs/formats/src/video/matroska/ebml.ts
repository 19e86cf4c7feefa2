import { crc32 } from 'node:zlib';
import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError } from '../../errors/file-errors';

/** An EBML element (RFC 8794). Offsets count from the same start as the reader's. */
export interface Element {
  /** Including its length marker, as in specifications. */
  readonly id: number;
  readonly start: number;
  /** First byte after id and size. */
  readonly body: number;
  /** `Infinity` if the size is unknown. */
  readonly end: number;
}

export const VOID = 0xec;
/** The checksum of the elements that follow it in its parent (RFC 8794, section 11.3.1). */
export const CRC = 0xbf;
/** Bytes of a checksum's content. */
export const CRC_SIZE = 4;
/** An id of 4 bytes and a size of 8. */
export const LONGEST_HEADER = 12;
const MAX_ELEMENTS = 200_000;

/** The element whose header is at `at` of the view; null if there is none. `origin` is added to its offsets. */
export function elementAt(view: ByteView, at: number, origin = 0): Element | null {
  if (at >= view.length) return null;
  const idLength = Math.clz32(view.u8(at)) - 23;
  if (idLength > 4 || at + idLength >= view.length) return null;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(view.u8(sizeAt)) - 23;
  if (sizeLength > 8 || sizeAt + sizeLength > view.length) return null;
  let id = 0;
  for (let i = at; i < sizeAt; i++) id = id * 256 + view.u8(i);
  const body = sizeAt + sizeLength;
  const size = vint(view, sizeAt, sizeLength);
  return {
    id,
    start: origin + at,
    body: origin + body,
    end: size === null ? Infinity : origin + body + size,
  };
}

/** A variable-length integer of `length` bytes without its marker; null if all its bits are one. */
export function vint(view: ByteView, at: number, length: number): number | null {
  let value = view.u8(at) & ((1 << (8 - length)) - 1);
  let allOnes = value === (1 << (8 - length)) - 1;
  for (let i = at + 1; i < at + length; i++) {
    value = value * 256 + view.u8(i);
    allOnes &&= view.u8(i) === 0xff;
  }
  return allOnes ? null : value;
}

/** The elements that follow each other in `[from, to)`, up to the first bytes that are no element. */
export function elementsIn(view: ByteView, from: number, to: number): Element[] {
  const elements: Element[] = [];
  for (let at = from; at < to;) {
    const element = elementAt(view, at);
    if (!element || element.end > to) break;
    if (elements.length >= MAX_ELEMENTS) throw new UnreadableFileError('An element holds too many others.');
    elements.push(element);
    at = element.end;
  }
  return elements;
}

export function childOf(view: ByteView, parent: Element, id: number): Element | undefined {
  return elementsIn(view, parent.body, parent.end).find((element) => element.id === id);
}

/** The value of an unsigned integer element. */
export function uintOf(view: ByteView, element: Element): number {
  if (element.end - element.body > 8) throw new UnreadableFileError('A number is too long.');
  let value = 0;
  for (let at = element.body; at < element.end; at++) value = value * 256 + view.u8(at);
  return value;
}

/** The value of a string element, of at most `limit` characters; a zero ends it. */
export function textOf(view: ByteView, { body, end }: Element, limit: number): string {
  return view.ascii(body, Math.min(limit, end - body)).split('\0', 1)[0] ?? '';
}

/** The value of a floating-point element; 0 if it is empty. */
export function floatOf(view: ByteView, element: Element): number {
  const size = element.end - element.body;
  return size === 8 ? view.f64(element.body) : size === 4 ? view.f32(element.body) : 0;
}

const voidHeaders = new Map<number, Uint8Array>();

/**
 * The header of a Void element of `size` bytes including the header (at least 2). Returns the same array for the same
 * size.
 */
export function voidHeader(size: number): Uint8Array {
  const known = voidHeaders.get(size);
  if (known) return known;
  const header =
    size - 2 < 127
      ? Uint8Array.of(VOID, 0x80 | (size - 2))
      : Uint8Array.of(VOID, 1, 0, 0, ...lowBytes(size - 9));
  if (voidHeaders.size < 4096) voidHeaders.set(size, header);
  return header;
}

function lowBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(5);
  for (let at = 4, left = value; at >= 0; at--, left = Math.floor(left / 256)) bytes[at] = left % 256;
  return bytes;
}

/**
 * What to do with an element: keep it, apply rules to its children, or call a function. Elements without a rule
 * become Void.
 */
export type ElementRule = 'keep' | ElementRules | ((view: ByteView, element: Element) => void);
export interface ElementRules {
  readonly [id: number]: ElementRule;
}

/**
 * Applies `rules` to the elements in `[from, to)`, in place. Bytes after the last element become zero. A checksum at
 * the start that is no longer correct becomes Void.
 */
export function scrubElements(view: ByteView, from: number, to: number, rules: ElementRules): void {
  const elements = elementsIn(view, from, to);
  const checksum = elements.find(
    ({ id, body, end }, at) => at === 0 && id === CRC && end - body === CRC_SIZE,
  );
  for (const element of elements) {
    if (element === checksum) continue;
    const rule = rules[element.id];
    if (rule === undefined) neutralise(view, element);
    else if (typeof rule === 'function') rule(view, element);
    else if (rule !== 'keep') scrubElements(view, element.body, element.end, rule);
  }
  view.bytes.fill(0, elements.at(-1)?.end ?? from, to);
  if (checksum && !isTrue(view, checksum, to)) neutralise(view, checksum);
}

/** Whether a checksum is that of the bytes that follow it up to `to`. */
function isTrue(view: ByteView, checksum: Element, to: number): boolean {
  return view.u32le(checksum.body) === crc32(view.bytes.subarray(checksum.end, to));
}

/** Turns an element into an empty Void element of the same size. */
export function neutralise(view: ByteView, { id, start, body, end }: Element): void {
  if (id !== VOID) {
    view.bytes.fill(0, start, end);
    view.bytes.set(voidHeader(end - start), start);
  } else view.bytes.fill(0, body, end);
}
