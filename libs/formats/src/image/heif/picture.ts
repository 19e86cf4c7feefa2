import { concatBytes } from '../../bytes/arrays';
import { Cursor } from '../../bytes/cursor';
import { u16 } from '../../bytes/numbers';
import { hasAscii } from '../../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { isKnownPrimaries, isKnownTransfer } from '../../metadata/code-points';
import { cleanColourBox, isProfileBox } from '../../metadata/colour-profile';
import type { Item, Meta, Property } from './meta-box';

/**
 * Properties that showing a picture may need, without descriptions in words. The choice of layers (`a1op`, `a1lx`,
 * `lsel`) is not among them, because programs disagree on it: some show the chosen layer, some each layer as it
 * arrives, some the last.
 */
const KEPT_PROPERTIES = new Set([
  ...['ispe', 'pixi', 'colr', 'pasp', 'clap', 'irot', 'imir', 'auxC'],
  ...['hvcC', 'av1C', 'clli', 'mdcv', 'cclv', 'amve', 'ndwt'],
]);
const KEPT_REFERENCES = new Set(['dimg', 'auxl', 'prem']);
const ALPHA = /^urn:mpeg:(mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1|avc:2015:auxid:1)\0/;

/**
 * The primary picture with its tiles and its transparency, and nothing else: no thumbnails, depth or gain maps, no
 * second pictures, no Exif, XMP or other items.
 * @throws UnreadableFileError if a part is missing.
 */
export function primaryPicture(meta: Meta): Meta {
  const parts = partsOf(meta);
  const kept = new Map<number, Item>();
  const colours = new Colours();
  const waiting = [meta.primary];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (kept.has(id)) continue;
    const item = meta.items.get(id);
    if (!item) throw new UnreadableFileError('A part of the picture is missing.');
    kept.set(id, clean(item, colours));
    for (const part of parts.get(id) ?? []) waiting.push(part);
  }
  const references = meta.references
    .filter(({ type, from }) => KEPT_REFERENCES.has(type) && kept.has(from))
    .map((reference) => ({ ...reference, to: reference.to.filter((id) => kept.has(id)) }))
    .filter(({ to }) => to.length > 0);
  const items = new Map([...kept].sort(([a], [b]) => a - b));
  return { primary: meta.primary, items, references };
}

/** For each item: the items that it is derived from, and those that hold its transparency. */
function partsOf(meta: Meta): Map<number, number[]> {
  const parts = new Map<number, number[]>();
  const add = (whole: number, part: number): void => {
    const known = parts.get(whole);
    if (known) known.push(part);
    else parts.set(whole, [part]);
  };
  for (const { type, from, to } of meta.references) {
    if (type === 'dimg') for (const part of to) add(from, part);
    if (type === 'auxl' && isAlpha(meta.items.get(from))) for (const whole of to) add(whole, from);
  }
  return parts;
}

/** The item with only the properties that showing it may need. @throws UnreadableFileError if it needs another one. */
export function clean(item: Item, colours: Colours): Item {
  const properties = item.properties.flatMap((property) => {
    const { type, isEssential } = property;
    if (type === 'colr') return colours.clean(property) ?? [];
    if (KEPT_PROPERTIES.has(type)) return property;
    if (isEssential)
      throw new UnreadableFileError(`The picture needs the property ${type}, which is not supported.`);
    return [];
  });
  return { ...item, properties };
}

/** The colours of the picture, which its tiles share: at most one profile, the first one. */
export class Colours {
  private readonly known = new Map<number, Property | null>();
  private profile: Uint8Array | null = null;

  clean(property: Property): Property | null {
    const known = this.known.get(property.index);
    if (known !== undefined) return known;
    const clean = this.judge(property);
    this.known.set(property.index, clean);
    return clean;
  }

  private judge(property: Property): Property | null {
    const body = cleanColourBox(property.body);
    if (!body) return null;
    if (isProfileBox(body)) {
      this.profile ??= body;
      if (Buffer.compare(this.profile, body) !== 0) return null;
    }
    return { ...property, body: withKnownColours(body) };
  }
}

const UNSPECIFIED = 2;
const SRGB = { primaries: 1, transfer: 13 } as const;

/** Code points with which not all programs show a picture, or not the same one, become those of sRGB. */
function withKnownColours(body: Uint8Array): Uint8Array {
  if (!hasAscii(body, 0, 'nclx') || body.length < 8) return body;
  const cursor = new Cursor(body, 4);
  const [primaries, transfer] = [cursor.u16(), cursor.u16()];
  const keepsPrimaries = primaries === UNSPECIFIED || isKnownPrimaries(primaries);
  const keepsTransfer = transfer === UNSPECIFIED || isKnownTransfer(transfer);
  if (keepsPrimaries && keepsTransfer) return body;
  const known = u16(keepsPrimaries ? primaries : SRGB.primaries, keepsTransfer ? transfer : SRGB.transfer);
  return concatBytes([body.subarray(0, 4), known, body.subarray(8)]);
}

function isAlpha(item: Item | undefined): boolean {
  const body = item?.properties.find(({ type }) => type === 'auxC')?.body;
  return body !== undefined && ALPHA.test(Buffer.from(body.subarray(4, 68)).toString('latin1'));
}

/** The picture with all that its crops (`clap`) leave out; null if nothing is cropped. */
export function withoutCrop(picture: Meta): Meta | null {
  const items = [...picture.items.values()];
  if (!items.some(({ properties }) => properties.some(isCrop))) return null;
  const whole = items.map((item) => ({
    ...item,
    properties: item.properties.filter((property) => !isCrop(property)),
  }));
  return { ...picture, items: new Map(whole.map((item) => [item.id, item])) };
}

const isCrop = ({ type }: Property): boolean => type === 'clap';

/** The codec of the primary picture. @throws UnsupportedFormatError if it is neither HEVC nor AV1. */
export function codecOf(picture: Meta): 'avif' | 'heic' {
  const types = new Set([...picture.items.values()].map(({ type }) => type));
  if (types.has('hvc1')) return 'heic';
  if (types.has('av01')) return 'avif';
  throw new UnsupportedFormatError('The codec of the picture is neither HEVC nor AV1.');
}

/** Pixels as displayed: cropped and rotated in the order in which the properties are listed. */
export function displayedSize(picture: Meta): { width: number; height: number } {
  let size = { width: 0, height: 0 };
  for (const { type, body } of picture.items.get(picture.primary)?.properties ?? []) {
    const cursor = new Cursor(body);
    if (type === 'ispe') {
      cursor.skip(4);
      size = { width: cursor.u32(), height: cursor.u32() };
    } else if (type === 'clap') {
      const [width, widthOver, height, heightOver] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()];
      size = { width: Math.floor(width / widthOver), height: Math.floor(height / heightOver) };
    } else if (type === 'irot' && (cursor.u8() & 1) === 1) {
      size = { width: size.height, height: size.width };
    }
  }
  if (!Number.isFinite(size.width * size.height)) throw new UnreadableFileError('The picture has no size.');
  return size;
}
