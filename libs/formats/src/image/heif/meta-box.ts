import { concatBytes, isZero } from '../../bytes/arrays';
import { Cursor } from '../../bytes/cursor';
import { u16, u32, u32List } from '../../bytes/numbers';
import { asciiBytes, hasAscii } from '../../bytes/text';
import { UnreadableFileError } from '../../errors/file-errors';
import { parseBoxes, readVersion, writeBox, writeFullBox, type Box } from '../../isobmff/boxes';
import { isSoftwareText } from '../../metadata/software-name';
import type { ByteMap, Range } from './byte-map';

/** No picture has more items, extents or references (one of 100 megapixels in tiles of 512 pixels has about 400). */
const MAX_ITEMS = 20_000;
const MAX_EXTENTS = 100_000;
/** The largest number of properties that a file can give to one item. */
const MAX_ITEM_PROPERTIES = 255;

/** A picture, or a part of one, in a HEIF file (ISO/IEC 23008-12). */
export interface Item {
  readonly id: number;
  /** Codec or derivation, e.g. `hvc1`, `av01`, `grid`. */
  readonly type: string;
  readonly isHidden: boolean;
  /** The positions of its bytes in the file, in order. */
  readonly extents: readonly Range[];
  readonly properties: readonly Property[];
  /** The bytes of an item that isn't in the file yet. */
  readonly content?: Uint8Array;
  /** The media type of an item of the type `mime`, if it is to be written. */
  readonly mediaType?: string;
}

export interface Property {
  readonly type: string;
  /** The content of the property's box. */
  readonly body: Uint8Array;
  readonly isEssential: boolean;
  /** Equal for items that share the property. */
  readonly index: number;
}

export interface Reference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

export interface Meta {
  readonly primary: number;
  readonly items: ReadonlyMap<number, Item>;
  readonly references: readonly Reference[];
  /** Items of which programs show the first that they can, if they are to be written. */
  readonly alternatives?: readonly number[];
}

/** The content of a file's `meta` box. */
export interface ParsedMeta extends Meta {
  /** Whether its tables hold only what `Meta` holds, each table once, without further bytes and names. */
  readonly isPlain: boolean;
  /** The position in the file of the data within the box. */
  readonly data: Range | undefined;
}

/** Records whether tables hold more than what is read from them. */
class Remainder {
  isEmpty = true;

  /** The condition is true of a table that holds nothing else. */
  expect(condition: boolean): void {
    this.isEmpty &&= condition;
  }

  /** A table that holds nothing else has been read to its end. */
  expectEnd(cursor: Cursor): void {
    this.expect(cursor.remaining === 0);
  }
}

/** Reads a `meta` box. `body` is its content, and `offset` the position of that in the file of `fileSize` bytes. */
export function parseMeta(body: Uint8Array, offset: number, fileSize: number): ParsedMeta {
  const boxes = parseBoxes(body, 4);
  const rest = new Remainder();
  rest.expect(isZero(body.subarray(0, 4)) && (boxes.at(-1)?.end ?? 4) === body.length);
  rest.expect(boxes.every(({ type }) => TABLES.has(type)));
  rest.expect(new Set(boxes.map(({ type }) => type)).size === boxes.length);
  const find = (type: string): Box | undefined => boxes.find((box) => box.type === type);
  const cursorOf = (type: string): Cursor => {
    const box = find(type);
    if (!box) throw new UnreadableFileError(`The picture's table ${type} is missing.`);
    return new Cursor(body.subarray(box.body, box.end));
  };

  const idat = find('idat');
  const dataBox = idat && { from: offset + idat.body, to: offset + idat.end };
  const extents = parseLocations(cursorOf('iloc'), { from: 0, to: fileSize }, dataBox, rest);
  const properties = parseProperties(cursorOf('iprp'), rest);
  const items = new Map<number, Item>();
  const infos = parseInfos(cursorOf('iinf'), rest);
  for (const info of infos) {
    items.set(info.id, {
      ...info,
      extents: extents.get(info.id) ?? [],
      properties: properties.get(info.id) ?? [],
    });
  }
  const primaryBox = cursorOf('pitm');
  const primary = readVersion(primaryBox).version === 0 ? primaryBox.u16() : primaryBox.u32();
  rest.expectEnd(primaryBox);
  const references = find('iref') ? parseReferences(cursorOf('iref'), rest) : [];
  rest.expect(items.size === infos.length && [...extents.keys()].every((id) => items.has(id)));
  rest.expect([...properties.keys()].every((id) => items.has(id)));
  const handler = find('hdlr');
  rest.expect(handler !== undefined && isPlainHandler(body.subarray(handler.body, handler.end)));
  return { primary, items, references, isPlain: rest.isEmpty, data: dataBox };
}

const TABLES = new Set(['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'idat']);

/**
 * Whether a handler holds only the type of pictures, zeros, and perhaps a program's name (ISO/IEC 14496-12, section
 * 8.4.3).
 */
function isPlainHandler(body: Uint8Array): boolean {
  const name = body.subarray(HANDLER_FIELDS);
  return (
    body.length >= HANDLER_FIELDS &&
    hasAscii(body, 0, '\0\0\0\0\0\0\0\0pict') &&
    isZero(body.subarray(12, HANDLER_FIELDS)) &&
    (isZero(name) || isSoftwareText(name))
  );
}

const HANDLER_FIELDS = 24;
const LONGEST_NAME = 16;
/** Names that libraries give to a picture and its transparency. */
const ITEM_NAMES = /^(?:Color|Alpha|Image|HEVC Image|AV1 Image|)\0?$/;

function parseInfos(cursor: Cursor, rest: Remainder): { id: number; type: string; isHidden: boolean }[] {
  const { version } = readVersion(cursor);
  cursor.skip(version === 0 ? 2 : 4);
  const infos = [];
  const boxes = parseBoxes(cursor.bytes, cursor.position, undefined, { limit: MAX_ITEMS });
  rest.expect((boxes.at(-1)?.end ?? cursor.position) === cursor.bytes.length);
  for (const box of boxes) {
    rest.expect(box.type === 'infe');
    if (box.type !== 'infe') continue;
    const entry = new Cursor(cursor.bytes.subarray(box.body, box.end));
    const { version, flags } = readVersion(entry);
    rest.expect(version >= 2 && flags <= 1);
    if (version < 2) continue; // An entry without an item type is no part of a picture.
    const id = version === 2 ? entry.u16() : entry.u32();
    const protection = entry.u16();
    if (protection !== 0) throw new UnreadableFileError('The picture is encrypted.');
    infos.push({ id, type: entry.ascii(4), isHidden: (flags & 1) === 1 });
    rest.expect(
      entry.remaining <= LONGEST_NAME &&
        ITEM_NAMES.test(entry.ascii(Math.min(entry.remaining, LONGEST_NAME))),
    );
  }
  return infos;
}

/** `iloc`: the runs of bytes of each item, as positions in the file. */
function parseLocations(
  cursor: Cursor,
  file: Range,
  idat: Range | undefined,
  rest: Remainder,
): Map<number, Range[]> {
  const { version } = readVersion(cursor);
  const sizes = cursor.u16();
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const count = version < 2 ? cursor.u16() : cursor.u32();
  if (count > MAX_ITEMS) throw new UnreadableFileError('The picture has too many items.');
  const locations = new Map<number, Range[]>();
  let extentsLeft = MAX_EXTENTS;
  for (let i = 0; i < count; i++) {
    const id = version < 2 ? cursor.u16() : cursor.u32();
    const method = version === 0 ? 0 : cursor.u16() & 15;
    const isElsewhere = cursor.u16() !== 0;
    const base = cursor.uint(baseSize);
    const extents: Range[] = [];
    const within = method === 0 ? file : method === 1 ? idat : undefined;
    for (let left = cursor.u16(); left > 0; left--) {
      if (extentsLeft-- === 0) throw new UnreadableFileError('The picture is in too many pieces.');
      cursor.uint(indexSize);
      const start = base + cursor.uint(offsetSize);
      const length = cursor.uint(lengthSize);
      rest.expect(within !== undefined && !isElsewhere);
      if (!within || isElsewhere) continue;
      const from = within.from + start;
      // A length of 0 means the whole data box. The whole file can't be a picture.
      const to = length === 0 && method === 1 ? within.to : from + length;
      if (from > to || to > within.to)
        throw new UnreadableFileError('A part of the picture lies outside of the file.');
      extents.push({ from, to });
    }
    locations.set(id, extents);
  }
  rest.expect(locations.size === count);
  rest.expectEnd(cursor);
  return locations;
}

function parseReferences(cursor: Cursor, rest: Remainder): Reference[] {
  const { version } = readVersion(cursor);
  const readId = (entry: Cursor): number => (version === 0 ? entry.u16() : entry.u32());
  let left = MAX_EXTENTS;
  const boxes = parseBoxes(cursor.bytes, cursor.position, undefined, { limit: MAX_ITEMS });
  rest.expect((boxes.at(-1)?.end ?? cursor.position) === cursor.bytes.length);
  return boxes.map((box) => {
    const entry = new Cursor(cursor.bytes.subarray(box.body, box.end));
    const from = readId(entry);
    const count = entry.u16();
    left -= count;
    if (left < 0) throw new UnreadableFileError('The picture has too many references.');
    const to = Array.from({ length: count }, () => readId(entry));
    rest.expectEnd(entry);
    return { type: box.type, from, to };
  });
}

/** `iprp`: the properties (`ipco`), and their associations with items (`ipma`). */
function parseProperties(cursor: Cursor, rest: Remainder): Map<number, Property[]> {
  const boxes = parseBoxes(cursor.bytes);
  const container = boxes.find((box) => box.type === 'ipco');
  const pool = container ? parseBoxes(cursor.bytes, container.body, container.end) : [];
  const associations = boxes.filter(({ type }) => type === 'ipma');
  rest.expect(associations.length === 1 && boxes.length === 2 && boxes.at(-1)?.end === cursor.bytes.length);
  rest.expect(container !== undefined && (pool.at(-1)?.end ?? container.body) === container.end);
  const used = new Set<number>();
  const result = new Map<number, Property[]>();
  let [itemsLeft, left] = [MAX_ITEMS, MAX_EXTENTS];
  for (const box of associations) {
    const entries = new Cursor(cursor.bytes.subarray(box.body, box.end));
    const { version, flags } = readVersion(entries);
    for (let count = entries.u32(); count > 0; count--) {
      if (itemsLeft-- === 0) throw new UnreadableFileError('The picture has too many items.');
      const id = version === 0 ? entries.u16() : entries.u32();
      const properties = result.get(id) ?? [];
      result.set(id, properties);
      for (let associations = entries.u8(); associations > 0; associations--) {
        if (left-- === 0 || properties.length >= MAX_ITEM_PROPERTIES)
          throw new UnreadableFileError('The picture has too many properties.');
        const isWide = (flags & 1) === 1;
        const value = isWide ? entries.u16() : entries.u8();
        const [mask, top] = isWide ? [0x7fff, 0x8000] : [0x7f, 0x80];
        const property = pool[(value & mask) - 1];
        rest.expect(property !== undefined);
        if (!property) continue;
        used.add(value & mask);
        const body = cursor.bytes.subarray(property.body, property.end);
        properties.push({ type: property.type, body, isEssential: (value & top) !== 0, index: value & mask });
      }
    }
    rest.expectEnd(entries);
  }
  rest.expect(used.size === pool.length);
  return result;
}

/** The smallest number that no item has. */
export function unusedId(items: ReadonlyMap<number, Item>): number {
  let id = 1;
  while (items.has(id)) id++;
  return id;
}

/** The contents of new items; they follow each other behind the bytes of the others. */
export const newContents = (meta: Meta): Uint8Array[] =>
  [...meta.items.values()].flatMap(({ content }) => content ?? []);

/**
 * Writes a `meta` box. The bytes of its items lie in `map`, which starts at `dataOffset` of the new file, and then in
 * `newContents`.
 */
export function writeMeta(meta: Meta, map: ByteMap, dataOffset: number): Uint8Array {
  const items = [...meta.items.values()];
  const isWide = items.some(({ id }) => id > 0xffff);
  const id = (value: number): Uint8Array => (isWide ? u32(value) : u16(value));
  const count = items.length;

  let contentAt = dataOffset + map.size;
  const placesOf = ({ extents, content }: Item): number[] => {
    if (!content) return extents.flatMap(({ from, to }) => [dataOffset + map.place(from), to - from]);
    contentAt += content.length;
    return [contentAt - content.length, content.length];
  };
  const locations = items.map((item) => {
    const places = placesOf(item);
    return concatBytes([id(item.id), u16(0, 0, places.length / 2), u32List(places)]);
  });
  const infos = items.map((item) =>
    writeFullBox(
      'infe',
      isWide ? 3 : 2,
      item.isHidden ? 1 : 0,
      id(item.id),
      u16(0),
      asciiBytes(`${item.type}\0${item.mediaType ? `${item.mediaType}\0` : ''}`),
    ),
  );
  const references = meta.references.map((reference) =>
    writeBox(reference.type, id(reference.from), u16(reference.to.length), ...reference.to.map(id)),
  );
  return writeFullBox(
    'meta',
    0,
    0,
    writeFullBox('hdlr', 0, 0, u32(0), asciiBytes('pict'), u32(0, 0, 0), Uint8Array.of(0)),
    writeFullBox('pitm', isWide ? 1 : 0, 0, id(meta.primary)),
    writeFullBox('iloc', isWide ? 2 : 1, 0, u16(0x4400), isWide ? u32(count) : u16(count), ...locations),
    writeFullBox('iinf', isWide ? 1 : 0, 0, isWide ? u32(count) : u16(count), ...infos),
    ...(references.length > 0 ? [writeFullBox('iref', isWide ? 1 : 0, 0, ...references)] : []),
    writeProperties(items, id, isWide),
    ...(meta.alternatives ? [writeAlternatives(unusedId(meta.items), meta.alternatives)] : []),
  );
}

/** A group of alternatives (ISO/IEC 14496-12, 8.18.3). */
const writeAlternatives = (group: number, items: readonly number[]): Uint8Array =>
  writeBox('grpl', writeFullBox('altr', 0, 0, u32(group, items.length, ...items)));

function writeProperties(
  items: readonly Item[],
  id: (value: number) => Uint8Array,
  isWide: boolean,
): Uint8Array {
  const used = new Map<number, Property>();
  for (const property of items.flatMap((item) => item.properties)) used.set(property.index, property);
  const pool = [...used.values()].sort((a, b) => a.index - b.index);
  const newIndex = new Map(pool.map((property, i) => [property.index, i + 1]));
  const isLong = pool.length > 0x7f;
  const associations = items.map((item) =>
    concatBytes([
      id(item.id),
      Uint8Array.of(item.properties.length),
      ...item.properties.map(({ index, isEssential }) => {
        const value = newIndex.get(index) ?? 0;
        return isLong
          ? u16(value | (isEssential ? 0x8000 : 0))
          : Uint8Array.of(value | (isEssential ? 0x80 : 0));
      }),
    ]),
  );
  return writeBox(
    'iprp',
    writeBox('ipco', ...pool.map(({ type, body }) => writeBox(type, body))),
    writeFullBox('ipma', isWide ? 1 : 0, isLong ? 1 : 0, u32(items.length), ...associations),
  );
}
