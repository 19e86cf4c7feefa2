import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import { readBody, readBoxes } from '../../isobmff/boxes';
import { readAv1Colour } from './av1-colour';
import type { Range } from './byte-map';
import { parseMeta, type Item, type Meta, type Property } from './meta-box';
import { isGrey, primaryPicture } from './picture';

/** Bytes of a decoder's configuration; those of encoders have some hundred. */
const MAX_CONFIGURATION = 1 << 16;

/** The meaning of code values: code points of ITU-T H.273. */
export interface CodedColour {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly isFullRange: boolean;
}

/** One plane (the colours, or the transparency) as a grid of coded pictures. A single picture is one tile. */
export interface HeifPlane {
  /** Pixels of the whole plane, before transforms. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Pixels of each tile. The last column and the last row may extend beyond the plane. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** The decoder configuration of every tile: the content of its `hvcC` or `av1C` box. */
  readonly configuration: Uint8Array;
  /** The position of each tile's bytes in the file, row by row. */
  readonly tiles: readonly (readonly Range[])[];
}

/** The changes to the decoded picture before it is shown, in this order. */
export type HeifTransform =
  | { readonly kind: 'crop'; left: number; top: number; width: number; height: number }
  /** Quarter turns, counter-clockwise. */
  | { readonly kind: 'turn'; quarters: number }
  /** `rows`: top and bottom are swapped; `columns`: left and right are swapped. */
  | { readonly kind: 'mirror'; exchange: 'rows' | 'columns' };

/** The primary picture of a HEIC or AVIF file, in the form that a decoder of the codec needs. */
export interface HeifPicture {
  /** Undefined if the picture is derived in another way than as a grid of equal tiles. */
  readonly colours: HeifPlane | undefined;
  readonly alpha: HeifPlane | undefined;
  /** Whether the picture has transparency, even if `alpha` is undefined because it is derived in another way. */
  readonly hasAlpha: boolean;
  readonly isPremultiplied: boolean;
  readonly transforms: readonly HeifTransform[];
  /** From the file's boxes, else from the AV1 picture itself. */
  readonly codedColour: CodedColour | undefined;
  /** Whether it is an AVIF of luma alone. */
  readonly isGrey: boolean;
  /** The embedded ICC profile. */
  readonly profile: Uint8Array | undefined;
}

/**
 * Reads the position and the structure of the primary picture of a HEIC or AVIF, without decoding it.
 * @throws UnreadableFileError if the file has no such picture, or its tables contradict each other.
 */
export async function readHeifPicture(source: ByteSource): Promise<HeifPicture> {
  const boxes = await readBoxes(source, 0, source.size, { garbageAtEnd: true });
  const box = boxes.find(({ type }) => type === 'meta');
  if (!box) throw new UnreadableFileError('The file has no picture.');
  const meta = primaryPicture(parseMeta(await readBody(source, box), box.body, source.size));
  const primary = itemOf(meta, meta.primary);
  const colours = await readPlane(source, meta, primary);
  const alphaOf = meta.references.find(({ type, to }) => type === 'auxl' && to.includes(primary.id));
  const alpha = alphaOf && (await readPlane(source, meta, itemOf(meta, alphaOf.from)));
  const parts = [primary, ...partsOf(meta, primary.id).slice(0, 1)];
  return {
    colours,
    alpha,
    hasAlpha: meta.references.some(({ type }) => type === 'auxl'),
    isPremultiplied: meta.references.some(({ type }) => type === 'prem'),
    transforms: readTransforms(primary),
    codedColour: firstOf(parts, readCodedColour) ?? (await declaredColour(source, parts, colours)),
    isGrey: isGrey(meta),
    profile: firstOf(parts, readProfile),
  };
}

/** What an AV1 picture declares; HEVC is not read for it. */
const declaredColour = async (
  source: ByteSource,
  parts: readonly Item[],
  colours: HeifPlane | undefined,
): Promise<CodedColour | undefined> =>
  colours && parts.some(({ type }) => type === 'av01')
    ? readAv1Colour(source, colours.tiles[0] ?? [])
    : undefined;

function itemOf(meta: Meta, id: number): Item {
  const item = meta.items.get(id);
  if (!item) throw new UnreadableFileError('A part of the picture is missing.');
  return item;
}

/** The items from which an item is derived. */
export const partsOf = (meta: Meta, id: number): Item[] =>
  meta.references
    .filter(({ type, from }) => type === 'dimg' && from === id)
    .flatMap(({ to }) => to.map((part) => itemOf(meta, part)));

/** The tiles of an item; undefined if it isn't coded, and isn't a grid of equal tiles. */
export async function readPlane(source: ByteSource, meta: Meta, item: Item): Promise<HeifPlane | undefined> {
  if (item.type !== 'grid') {
    const configuration = configurationOf(item);
    if (!configuration) return undefined;
    const { width, height } = sizeOf(item);
    const tiles = [item.extents];
    return { width, height, columns: 1, rows: 1, tileWidth: width, tileHeight: height, configuration, tiles };
  }
  const parts = partsOf(meta, item.id);
  const { columns, rows, width, height } = await readGrid(source, item);
  const [first] = parts;
  const configuration = first && configurationOf(first);
  if (!first || !configuration) return undefined;
  if (parts.length !== columns * rows) throw new UnreadableFileError('Tiles of the picture are missing.');
  const { width: tileWidth, height: tileHeight } = sizeOf(first);
  // ISO/IEC 23008-12, 6.6.2.3: the tiles cover the picture, and none lies completely outside of it.
  const covers = (whole: number, tile: number, count: number): boolean =>
    tile * count >= whole && tile * (count - 1) < whole;
  if (!covers(width, tileWidth, columns) || !covers(height, tileHeight, rows))
    throw new UnreadableFileError('The tiles do not cover the picture.');
  const isAlike = (part: Item): boolean => {
    const size = sizeOf(part);
    const own = configurationOf(part);
    return (
      part.type === first.type &&
      size.width === tileWidth &&
      size.height === tileHeight &&
      own !== undefined &&
      haveSameBytes(own, configuration) &&
      readTransforms(part).length === 0
    );
  };
  if (!parts.every(isAlike)) return undefined;
  const tiles = parts.map(({ extents }) => extents);
  return { width, height, columns, rows, tileWidth, tileHeight, configuration, tiles };
}

/** The content of a `grid` item (ISO/IEC 23008-12, 6.6.2.3.2). */
async function readGrid(
  source: ByteSource,
  item: Item,
): Promise<{ columns: number; rows: number; width: number; height: number }> {
  const [extent] = item.extents;
  if (!extent) throw new UnreadableFileError('The grid of the picture is missing.');
  const cursor = new Cursor(await readExactly(source, extent.from, Math.min(12, extent.to - extent.from)));
  cursor.skip(1);
  const isWide = (cursor.u8() & 1) === 1;
  const [rows, columns] = [cursor.u8() + 1, cursor.u8() + 1];
  const [width, height] = isWide ? [cursor.u32(), cursor.u32()] : [cursor.u16(), cursor.u16()];
  if (width === 0 || height === 0) throw new UnreadableFileError('The picture has no size.');
  return { columns, rows, width, height };
}

const propertyOf = (item: Item, type: string): Uint8Array | undefined =>
  item.properties.find((property) => property.type === type)?.body;

/** Undefined if it is missing, or larger than any decoder needs: all tiles are compared by it. */
function configurationOf(item: Item): Uint8Array | undefined {
  const type = { hvc1: 'hvcC', av01: 'av1C' }[item.type];
  const body = type && propertyOf(item, type);
  return body && body.length <= MAX_CONFIGURATION ? body : undefined;
}

/** Tiles usually share one property, which need not be compared with itself. */
const haveSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length &&
  ((one.buffer === other.buffer && one.byteOffset === other.byteOffset) || Buffer.compare(one, other) === 0);

function sizeOf(item: Item): { width: number; height: number } {
  const body = propertyOf(item, 'ispe');
  if (!body) throw new UnreadableFileError('A part of the picture has no size.');
  const cursor = new Cursor(body, 4);
  const [width, height] = [cursor.u32(), cursor.u32()];
  if (width === 0 || height === 0) throw new UnreadableFileError('The picture has no size.');
  return { width, height };
}

export function readTransforms(item: Item): HeifTransform[] {
  let size = item.type === 'grid' || configurationOf(item) ? sizeOf(item) : undefined;
  const transforms: HeifTransform[] = [];
  for (const { type, body } of item.properties) {
    const cursor = new Cursor(body);
    if (type === 'clap' && size) {
      const crop = readCleanAperture(cursor, size);
      transforms.push({ kind: 'crop', ...crop });
      size = crop;
    } else if (type === 'irot') {
      const quarters = cursor.u8() & 3;
      if (quarters !== 0) transforms.push({ kind: 'turn', quarters });
      if (quarters % 2 === 1 && size) size = { width: size.height, height: size.width };
    } else if (type === 'imir') {
      transforms.push({ kind: 'mirror', exchange: (cursor.u8() & 1) === 0 ? 'rows' : 'columns' });
    }
  }
  return transforms;
}

/** `clap`: fractions of the size, and of the distance between the two centres (ISO/IEC 14496-12, 12.1.4). */
function readCleanAperture(
  cursor: Cursor,
  size: { width: number; height: number },
): { left: number; top: number; width: number; height: number } {
  const fraction = (read: () => number): number => read() / cursor.u32();
  const width = Math.floor(fraction(() => cursor.u32()));
  const height = Math.floor(fraction(() => cursor.u32()));
  const left = Math.floor(fraction(() => cursor.i32()) + (size.width - width) / 2);
  const top = Math.floor(fraction(() => cursor.i32()) + (size.height - height) / 2);
  const isWithin =
    width > 0 &&
    height > 0 &&
    left >= 0 &&
    top >= 0 &&
    left + width <= size.width &&
    top + height <= size.height;
  if (!isWithin) throw new UnreadableFileError('The crop of the picture lies outside of its edges.');
  return { left, top, width, height };
}

/** What has `colr` boxes. */
interface Coloured {
  readonly properties: readonly Pick<Property, 'type' | 'body'>[];
}

/** `colr` with `nclx`: three code points and a flag (ISO/IEC 14496-12, 12.1.5). */
export function readCodedColour(item: Coloured): CodedColour | undefined {
  const cursor = colourBoxOf(item, ['nclx']);
  if (!cursor) return undefined;
  const [primaries, transfer, matrix] = [cursor.u16(), cursor.u16(), cursor.u16()];
  return { primaries, transfer, matrix, isFullRange: cursor.u8() >= 0x80 };
}

export function readProfile(item: Coloured): Uint8Array | undefined {
  const cursor = colourBoxOf(item, ['prof', 'rICC']);
  return cursor && cursor.bytes.subarray(cursor.position);
}

/** The content of the `colr` box of one of these kinds, without the kind. */
function colourBoxOf(item: Coloured, kinds: readonly string[]): Cursor | undefined {
  for (const { type, body } of item.properties) {
    if (type !== 'colr') continue;
    const cursor = new Cursor(body);
    if (kinds.includes(cursor.ascii(4))) return cursor;
  }
  return undefined;
}

function firstOf<T>(items: readonly Item[], read: (item: Item) => T | undefined): T | undefined {
  for (const item of items) {
    const found = read(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
