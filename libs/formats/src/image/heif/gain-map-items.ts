import { concatBytes } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { u32 } from '../../bytes/numbers';
import { readExactly } from '../../bytes/read';
import { asciiBytes, hasAscii, latin1 } from '../../bytes/text';
import { UnreadableFileError } from '../../errors/file-errors';
import { writeAppleHdrExif } from '../../metadata/apple-hdr-note';
import { isProfileBox } from '../../metadata/colour-profile';
import { APPLE_GAIN_MAP, type AppleGainMap, readAppleGainMap, writeAppleXmp } from '../apple-gain-map';
import { partsOf, readPlane, readTransforms } from './heif-picture';
import type { Item, Meta, Property } from './meta-box';
import { clean, codecOf, Colours, displayedSize } from './picture';

/** Real files have one gain map. */
const MAX_CANDIDATES = 4;
/** Limits of the metadata of a map and its picture, which are read whole. */
const [MAX_METADATA_BYTES, MAX_METADATA_EXTENTS] = [1 << 19, 16];
/** The content of a `grid` item has 8 or 12 bytes. */
const MAX_GRID_BYTES = 12;
const EXIF_NAME = 'Exif\0\0';
const MAX_TILES = 4096;

/** A gain map of Apple in a HEIC file. */
export interface HeifGainMap {
  /** The map without its metadata. */
  readonly picture: Meta;
  readonly values: AppleGainMap;
}

/**
 * Finds Apple's gain map of a picture: the first auxiliary picture of this type that is coded like the picture, has no
 * more pixels, is turned like it, shares no item with it, and has XMP with valid numbers.
 */
export async function findHeifGainMap(
  source: ByteSource,
  meta: Meta,
  picture: Meta,
): Promise<HeifGainMap | null> {
  const candidates = meta.references.flatMap(({ type, from, to }) => {
    const item = type === 'auxl' && to.includes(meta.primary) ? meta.items.get(from) : undefined;
    return item?.properties.some(({ type, body }) => type === 'auxC' && isGainMapType(body)) ? [item] : [];
  });
  for (const item of candidates.slice(0, MAX_CANDIDATES)) {
    try {
      const found = await readCandidate(source, meta, picture, item);
      if (found) return found;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
    }
  }
  return null;
}

async function readCandidate(
  source: ByteSource,
  meta: Meta,
  picture: Meta,
  item: Item,
): Promise<HeifGainMap | null> {
  const plane = await readPlane(source, meta, item);
  const { width, height } = displayedSize(picture);
  if (!plane || plane.width * plane.height > width * height || !isTurnedLike(item, picture)) return null;
  const isGrid = item.type === 'grid';
  const tiles = isGrid ? partsOf(meta, item.id) : [];
  if (tiles.length > MAX_TILES || (isGrid && sizeOf(item) > MAX_GRID_BYTES)) return null;
  const parts = [item, ...tiles];
  if (parts.some(({ id, extents }) => picture.items.has(id) || !hasBytes(extents))) return null;
  const map: Meta = {
    primary: item.id,
    items: new Map(parts.map((part) => [part.id, cleanPart(part)])),
    references: isGrid ? [{ type: 'dimg', from: item.id, to: tiles.map(({ id }) => id) }] : [],
  };
  if (codecOf(map) !== 'heic' || codecOf(picture) !== 'heic') return null;
  const xmp = await readMetadata(source, meta, { of: item.id, type: 'mime' });
  const values = xmp && readAppleGainMap(latin1(xmp), await readExif(source, meta));
  return values && { picture: map, values };
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
  const { properties, ...rest } = clean(item, new Colours());
  const isKept = ({ type, body }: Property): boolean =>
    (type !== 'colr' || !isProfileBox(body)) && (type !== 'auxC' || isGainMapType(body));
  return { ...rest, properties: properties.filter(isKept) };
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
  if (!item || item.extents.length > MAX_METADATA_EXTENTS || sizeOf(item) > MAX_METADATA_BYTES) return null;
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

/** The picture with its map, and with new XMP and Exif items that hold only the numbers of the map. */
export function withGainMap(picture: Meta, { picture: map, values }: HeifGainMap): Meta {
  const items = new Map([...picture.items, ...map.items]);
  const references = [
    ...picture.references,
    ...map.references,
    { type: 'auxl', from: map.primary, to: [picture.primary] },
  ];
  const describe = (of: number, type: string, content: Uint8Array, mediaType?: string): void => {
    let id = 1;
    while (items.has(id)) id++;
    items.set(id, { id, type, content, ...(mediaType ? { mediaType } : {}), ...NEW_ITEM });
    references.push({ type: 'cdsc', from: id, to: [of] });
  };
  describe(map.primary, 'mime', writeAppleXmp(values), 'application/rdf+xml');
  if (values.note) {
    const exif = concatBytes([
      u32(EXIF_NAME.length),
      asciiBytes(EXIF_NAME),
      writeAppleHdrExif(1, values.note),
    ]);
    describe(picture.primary, 'Exif', exif);
  }
  return { primary: picture.primary, references, items: new Map([...items].sort(([a], [b]) => a - b)) };
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
