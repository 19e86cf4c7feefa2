import { isZero } from '../../bytes/arrays';
import type { ByteView } from '../../bytes/byte-view';
import { latin1 } from '../../bytes/text';
import type { Box } from '../../isobmff/boxes';
import { boxesIn, neutralise, scrubBoxes } from '../../isobmff/scrub-boxes';
import { isSoftwareRecord, isSoftwareText } from '../../metadata/software-name';

/** Makers of handlers and codecs that are programs: none, Apple's QuickTime, FFmpeg. */
const VENDORS = /^(?:\0\0\0\0|appl|FFMP)$/;
/**
 * Bytes of a `hdlr` before its maker, and before its name (ISO/IEC 14496-12, section 8.4.3; QuickTime's is the same).
 */
const MAKER = 12;
const NAME = 24;
/** The largest value of the flags of Apple's handlers; no others are in use. */
const MAX_FLAGS = 0x1ffff;
const LONGEST_NAME = 128;

/** Blanks a handler's maker and name unless they are a program's: they may name the device or the person. */
export function scrubHandler(view: ByteView, { body, end }: Box): void {
  if (end - body < NAME) {
    view.bytes.fill(0, Math.min(body + MAKER, end), end);
    return;
  }
  const flags = [view.u32(body + 16), view.u32(body + 20)];
  const isKnown = VENDORS.test(view.ascii(body + MAKER, 4)) && flags.every((value) => value <= MAX_FLAGS);
  if (!isKnown) view.bytes.fill(0, body + MAKER, body + NAME);
  const name = view.bytes.subarray(body + NAME, end);
  if (!isName(name)) name.fill(0);
}

/** Whether the bytes are a program's name as a C or Pascal string, and zeros up to the end. */
function isName(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_NAME) return false;
  return isZero(bytes) || isSoftwareText(bytes) || isSoftwareRecord(bytes);
}

/** Blanks the four letters of a sample entry's maker, unless it is a program. */
export function scrubVendor(field: Uint8Array): void {
  if (!VENDORS.test(latin1(field))) field.fill(0);
}

/** Blanks a sample entry's 32 bytes for the name of its codec, unless it is a program's. */
export function scrubCompressorName(field: Uint8Array): void {
  if (!isSoftwareRecord(field)) field.fill(0);
}

/**
 * Removes user data (ISO/IEC 14496-12, section 8.10.1) except the name of the program that wrote the file: in
 * QuickTime's own text box or in an item of iTunes' list. A box that holds nothing else is removed as a whole.
 */
export function scrubUserData(view: ByteView, udta: Box): void {
  if (isZero(view.bytes.subarray(udta.body, udta.end))) return;
  scrubSoftware(view, udta, udta.body, (child) => {
    if (child.type === 'meta') return scrubMeta(view, child);
    return isSoftwareItem(child.type) && isTextRecord(view.slice(child.body, child.end));
  });
}

/** Scrubs a `meta` box. Returns whether any of it is kept. */
function scrubMeta(view: ByteView, meta: Box): boolean {
  if (meta.end - meta.body < 4 || view.u32(meta.body) !== 0) return false;
  const children = boxesIn(view, meta.body + 4, meta.end);
  if (!children.some((child) => isListHandler(view, child))) return false;
  let stays = false;
  scrubBoxes(view, meta.body + 4, meta.end, {
    hdlr: scrubHandler,
    ilst: (_, list) => {
      stays = scrubSoftware(
        view,
        list,
        list.body,
        (item) => isSoftwareItem(item.type) && isDataItem(view, item),
      );
    },
  });
  return stays;
}

function isListHandler(view: ByteView, { type, body, end }: Box): boolean {
  return type === 'hdlr' && end - body >= MAKER && view.ascii(body + 8, 4) === 'mdir';
}

/** Neutralises the children of `box` that are not kept, or `box` itself if none is. Returns whether it is kept. */
function scrubSoftware(view: ByteView, box: Box, from: number, stays: (child: Box) => boolean): boolean {
  const children = boxesIn(view, from, box.end);
  const kept = new Set(children.filter(stays));
  if (kept.size === 0) {
    neutralise(view, box);
    return false;
  }
  for (const child of children) if (!kept.has(child)) neutralise(view, child);
  view.bytes.fill(0, children.at(-1)?.end ?? from, box.end);
  return true;
}

/** Whether the item is the encoding tool, software or encoder. ©, with which their names start, is 0xa9. */
function isSoftwareItem(type: string): boolean {
  return /^\xa9(?:too|swr|enc)$/.test(type);
}

/**
 * Whether this is one text of QuickTime's: its size, its language, its letters (QuickTime File Format, "User data
 * text strings").
 */
function isTextRecord(record: ByteView): boolean {
  if (record.length < 4 || record.length > LONGEST_NAME || record.u16(0) !== record.length - 4) return false;
  return isSoftwareText(record.bytes.subarray(4));
}

/** Whether this is one `data` box with a text in UTF-8. */
function isDataItem(view: ByteView, item: Box): boolean {
  const [data, ...others] = boxesIn(view, item.body, item.end);
  if (data?.type !== 'data' || others.length > 0 || data.end !== item.end) return false;
  const size = data.end - data.body;
  if (size < 8 || size > LONGEST_NAME || view.u32(data.body) !== 1 || view.u32(data.body + 4) !== 0)
    return false;
  return isSoftwareText(view.bytes.subarray(data.body + 8, data.end));
}

/** The tags of an initial object descriptor, and of the tracks it names (ISO/IEC 14496-14, section 5.1). */
const OBJECT_DESCRIPTOR = 0x10;
const TRACK_REFERENCE = 0x0e;
const LARGEST_DESCRIPTOR = 64;

/** Keeps an `iods` box that holds only profiles and tracks, and neutralises any other. */
export function scrubObjectDescriptor(view: ByteView, box: Box): void {
  const body = view.slice(box.body, box.end);
  if (body.length > LARGEST_DESCRIPTOR || !isObjectDescriptor(body)) neutralise(view, box);
}

function isObjectDescriptor(body: ByteView): boolean {
  const isDescriptor = (at: number, tag: number, size: number): number | null => {
    const spread = body.length > at + 1 && body.u8(at + 1) === 0x80;
    const content = at + (spread ? 5 : 2);
    if (content > body.length || body.u8(at) !== tag || body.u8(content - 1) !== size) return null;
    return !spread || body.u24(content - 4) === 0x808080 ? content : null;
  };
  const size = body.length > 9 && body.u8(5) === 0x80 ? body.length - 9 : body.length - 6;
  const fields = isDescriptor(4, OBJECT_DESCRIPTOR, size);
  if (fields === null || body.u32(0) !== 0 || size < 7 || body.u16(fields) !== 0x4f) return false;
  for (let at = fields + 7; at < body.length;) {
    const track = isDescriptor(at, TRACK_REFERENCE, 4);
    if (track === null || track + 4 > body.length) return false;
    at = track + 4;
  }
  return true;
}
