import { concatBytes } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { u32 } from '../../bytes/numbers';
import { readExactly } from '../../bytes/read';
import { asciiBytes, hasAscii, latin1 } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { writeAppleHdrExif } from '../../metadata/apple-hdr-note';
import { isProfileBox } from '../../metadata/colour-profile';
import { APPLE_GAIN_MAP, type AppleGainMap, readAppleGainMap, writeAppleXmp } from '../apple-gain-map';
import type { GainMapFields } from '../gain-map';
import { readIsoFields, writeIsoFields } from '../iso-gain-map';
import { partsOf, readPlane, readTransforms } from './heif-picture';
import { unusedId, type Item, type Meta, type Property } from './meta-box';
import { clean, codecOf, Colours, displayedSize } from './picture';

/** Real files have one gain map. */
const MAX_CANDIDATES = 4;
/** Limits of the metadata of a map and its picture, which are read whole. */
const [MAX_METADATA_BYTES, MAX_METADATA_EXTENTS] = [1 << 19, 16];
/** The content of a `grid` item has 8 or 12 bytes. */
const MAX_GRID_BYTES = 12;
const EXIF_NAME = 'Exif\0\0';
const MAX_TILES = 4096;

/** A gain map in a HEIC or AVIF file: one of Apple, or one that a `tmap` item applies (ISO/IEC 23008-12, 6.6.2.4). */
export interface HeifGainMap {
  /** The map without its metadata. */
  readonly picture: Meta;
  readonly values:
    { readonly apple: AppleGainMap } | { readonly fields: GainMapFields; readonly toneMap: Item };
}

/**
 * Finds the gain map of a picture: the first auxiliary picture of Apple's type, or else the first one of a `tmap` item,
 * that is coded like the picture, has no more pixels, is turned like it, shares no item with it, and has valid numbers.
 */
export async function findHeifGainMap(
  source: ByteSource,
  meta: Meta,
  picture: Meta,
): Promise<HeifGainMap | null> {
  const searches = [
    ...appleMaps(meta).map((item) => () => readAppleMap(source, meta, picture, item)),
    ...toneMaps(meta).map((pair) => () => readToneMap(source, meta, picture, pair)),
  ];
  for (const search of searches) {
    try {
      const found = await search();
      if (found) return found;
    } catch (error) {
      if (!(error instanceof UnreadableFileError) && !(error instanceof UnsupportedVariantError)) throw error;
    }
  }
  return null;
}

const appleMaps = (meta: Meta): Item[] =>
  meta.references
    .flatMap(({ type, from, to }) => {
      const item = type === 'auxl' && to.includes(meta.primary) ? meta.items.get(from) : undefined;
      return item?.properties.some(({ type, body }) => type === 'auxC' && isGainMapType(body)) ? [item] : [];
    })
    .slice(0, MAX_CANDIDATES);

/** A `tmap` item, and the map that it applies to the picture. */
interface TonePair {
  readonly toneMap: Item;
  readonly map: Item;
}

const toneMaps = ({ primary, items, references }: Meta): TonePair[] =>
  references
    .flatMap(({ type, from, to: [base, of = NaN, ...others] }) => {
      const [toneMap, map] = [items.get(from), items.get(of)];
      const isPair = type === 'dimg' && base === primary && others.length === 0;
      return isPair && toneMap?.type === 'tmap' && map ? [{ toneMap, map }] : [];
    })
    .slice(0, MAX_CANDIDATES);

async function readAppleMap(
  source: ByteSource,
  meta: Meta,
  picture: Meta,
  item: Item,
): Promise<HeifGainMap | null> {
  const map = await readMap(source, meta, picture, item);
  if (!map || codecOf(map) !== 'heic') return null;
  const xmp = await readMetadata(source, meta, { of: item.id, type: 'mime' });
  const apple = xmp && readAppleGainMap(latin1(xmp), await readExif(source, meta));
  return apple && { picture: map, values: { apple } };
}

async function readToneMap(
  source: ByteSource,
  meta: Meta,
  picture: Meta,
  { toneMap, map: item }: TonePair,
): Promise<HeifGainMap | null> {
  const map = await readMap(source, meta, picture, item);
  const isTurned = readTransforms(toneMap).length > 0 && !isTurnedLike(toneMap, picture);
  if (!map || isTurned || map.items.has(toneMap.id) || picture.items.has(toneMap.id)) return null;
  const content = await readItem(source, toneMap);
  const fields = content?.[0] === 0 ? readIsoFields(content.subarray(1)) : null;
  return fields && { picture: map, values: { fields, toneMap: cleanPart(toneMap) } };
}

/** A map without its metadata; null if it doesn't fit the picture. */
async function readMap(source: ByteSource, meta: Meta, picture: Meta, item: Item): Promise<Meta | null> {
  const isGrid = item.type === 'grid';
  const tiles = isGrid ? partsOf(meta, item.id) : [];
  if (tiles.length > MAX_TILES || (isGrid && sizeOf(item) > MAX_GRID_BYTES)) return null;
  const plane = await readPlane(source, meta, item);
  const { width, height } = displayedSize(picture);
  if (!plane || plane.width * plane.height > width * height || !isTurnedLike(item, picture)) return null;
  const parts = [item, ...tiles];
  if (parts.some(({ id, extents }) => picture.items.has(id) || !hasBytes(extents))) return null;
  const map: Meta = {
    primary: item.id,
    items: new Map(parts.map((part) => [part.id, { ...cleanPart(part), isHidden: true }])),
    references: isGrid ? [{ type: 'dimg', from: item.id, to: tiles.map(({ id }) => id) }] : [],
  };
  return codecOf(map) === codecOf(picture) ? map : null;
}

const isGainMapType = (body: Uint8Array): boolean =>
  body.length === APPLE_GAIN_MAP.length + 5 && hasAscii(body, 0, `\0\0\0\0${APPLE_GAIN_MAP}\0`);

/** Programs show a map in another place than the picture’s if it is turned or cropped in another way. */
function isTurnedLike(item: Item, picture: Meta): boolean {
  const transforms = [picture.items.get(picture.primary) ?? item, item].map(readTransforms);
  const [whole, own] = transforms.map((list) => JSON.stringify(list));
  return whole === own && !transforms[0]?.some(({ kind }) => kind === 'crop');
}

const sizeOf = ({ extents }: Item): number => extents.reduce((sum, { from, to }) => sum + to - from, 0);

const hasBytes = (extents: Item['extents']): boolean =>
  extents.length > 0 && extents.every(({ from, to }) => to > from);

/** An item of a map, without a colour profile, which a map doesn't need. */
function cleanPart(item: Item): Item {
  const isKept = ({ type, body }: Property): boolean =>
    (type !== 'colr' || !isProfileBox(body)) && (type !== 'auxC' || isGainMapType(body));
  return clean({ ...item, properties: item.properties.filter(isKept) }, new Colours());
}

/** The bytes of the first item of a type that describes another item; null if there is none, or it is too large. */
async function readMetadata(
  source: ByteSource,
  { references, items }: Meta,
  { of, type: wanted }: { readonly of: number; readonly type: string },
): Promise<Uint8Array | null> {
  const reference = references.find(
    ({ type, from, to }) => type === 'cdsc' && to.includes(of) && items.get(from)?.type === wanted,
  );
  const item = reference && items.get(reference.from);
  return item ? readItem(source, item) : null;
}

/** The bytes of an item; null if it is too large. */
async function readItem(source: ByteSource, item: Item): Promise<Uint8Array | null> {
  if (item.extents.length > MAX_METADATA_EXTENTS || sizeOf(item) > MAX_METADATA_BYTES) return null;
  return concatBytes(
    await Promise.all(item.extents.map(({ from, to }) => readExactly(source, from, to - from))),
  );
}

/** The Exif block of the picture, from its TIFF header on (ISO/IEC 23008-12, A.2.1). */
async function readExif(source: ByteSource, meta: Meta): Promise<Uint8Array | null> {
  const item = await readMetadata(source, meta, { of: meta.primary, type: 'Exif' });
  if (!item || item.length < 4) return null;
  return item.subarray(4 + new Cursor(item).u32());
}

/** The picture with its map, and with new items that hold only the numbers of the map. */
export function withGainMap(picture: Meta, { picture: map, values }: HeifGainMap): Meta {
  const items = new Map([...picture.items, ...map.items]);
  const references = [...picture.references, ...map.references];
  const sorted = (): Map<number, Item> => new Map([...items].sort(([a], [b]) => a - b));
  if ('fields' in values) {
    const { fields, toneMap } = values;
    const content = concatBytes([Uint8Array.of(0), writeIsoFields(fields)]);
    items.set(toneMap.id, { ...toneMap, extents: [], content });
    references.push({ type: 'dimg', from: toneMap.id, to: [picture.primary, map.primary] });
    // Programs show the first item of the list that they know.
    const alternatives = [toneMap.id, picture.primary];
    return { primary: picture.primary, references, items: sorted(), alternatives };
  }
  const { apple } = values;
  references.push({ type: 'auxl', from: map.primary, to: [picture.primary] });
  const describe = (of: number, type: string, content: Uint8Array, mediaType?: string): void => {
    const id = unusedId(items);
    items.set(id, { id, type, content, ...(mediaType ? { mediaType } : {}), ...NEW_ITEM });
    references.push({ type: 'cdsc', from: id, to: [of] });
  };
  describe(map.primary, 'mime', writeAppleXmp(apple), 'application/rdf+xml');
  if (apple.note) {
    const exif = concatBytes([
      u32(EXIF_NAME.length),
      asciiBytes(EXIF_NAME),
      writeAppleHdrExif(1, apple.note),
    ]);
    describe(picture.primary, 'Exif', exif);
  }
  return { primary: picture.primary, references, items: sorted() };
}

const NEW_ITEM = { isHidden: false, extents: [], properties: [] };

/** A gain map as the only picture of a file. */
export function standAlone({ picture: map }: HeifGainMap): Meta {
  const items = [...map.items.values()].map((item) => ({
    ...item,
    isHidden: item.id !== map.primary,
    properties: item.properties.filter(({ type }) => type !== 'auxC'),
  }));
  return { ...map, items: new Map(items.map((item) => [item.id, item])) };
}
