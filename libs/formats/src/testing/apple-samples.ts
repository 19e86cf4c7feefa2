import { concatBytes } from '../bytes/arrays';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes, hasAscii } from '../bytes/text';
import { writeBox, writeFullBox } from '../isobmff/boxes';
import { canary, CANARY } from './scrub';
import { colourProfile } from './colour-profiles';

const APPLE_MAP = 'urn:com:apple:photo:2020:aux:hdrgainmap';

/** The XMP of a gain map as iPhones write it, with private data. */
export const appleXmp = (properties: string): Uint8Array =>
  asciiBytes(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0"><rdf:RDF><rdf:Description rdf:about="" ' +
      'xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" ' +
      `xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" dc:creator="${CANARY}">` +
      `<apdi:AuxiliaryImageType>${APPLE_MAP}</apdi:AuxiliaryImageType>${properties}` +
      '</rdf:Description></rdf:RDF></x:xmpmeta>',
  );

export const VERSION_1 = '<HDRGainMap:HDRGainMapVersion>65536</HDRGainMap:HDRGainMapVersion>';
export const VERSION_2 =
  '<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>' +
  '<HDRGainMap:HDRGainMapHeadroom>4.9741612</HDRGainMap:HDRGainMapHeadroom>';

type Entry = readonly [tag: number, type: number, count: number, value: number | Uint8Array];

/** A directory of a TIFF at a position, with its values after it. */
function directory(at: number, entries: readonly Entry[]): Uint8Array {
  let valueAt = at + 2 + entries.length * 12 + 4;
  const values: Uint8Array[] = [];
  const rows = entries.map(([tag, type, count, value]) => {
    if (typeof value === 'number') return concatBytes([u16(tag, type), u32(count, value)]);
    values.push(value);
    valueAt += value.length;
    return concatBytes([u16(tag, type), u32(count, valueAt - value.length)]);
  });
  return concatBytes([u16(entries.length), ...rows, u32(0), ...values]);
}

/** An Exif block of an iPhone: a place, an author, an orientation, and a maker note with tags 33 and 48. */
export function appleExif(headroom: number, gain: number, orientation = 1): Uint8Array {
  const number = (value: number): Uint8Array => u32(Math.round(value * 65_536), 65_536);
  const signature = asciiBytes('Apple iOS\0\0\x01MM');
  const note = concatBytes([
    signature,
    directory(signature.length, [
      [17, 2, canary.length, canary], // ContentIdentifier
      [33, 10, 1, number(headroom)],
      [43, 2, canary.length, canary], // PhotoIdentifier
      [48, 10, 1, number(gain)],
    ]),
  ]);
  const place = directory(0, [[29, 2, canary.length, canary]]);
  const first = (exifAt: number, placeAt: number): Uint8Array =>
    directory(8, [
      [0x112, 3, 1, orientation << 16],
      [0x13b, 2, canary.length, canary], // Artist
      [0x8769, 4, 1, exifAt],
      [0x8825, 4, 1, placeAt],
    ]);
  const exifAt = 8 + first(0, 0).length;
  const exif = directory(exifAt, [[0x927c, 7, note.length, note]]);
  return concatBytes([asciiBytes('MM\0*'), u32(8), first(exifAt, exifAt + exif.length), exif, place]);
}

/** An item of a HEIF. */
export interface SampleItem {
  readonly id: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly properties?: readonly Uint8Array[];
  readonly mediaType?: string;
  /** How its place is given: 0 in the file, 2 in other items. */
  readonly construction?: number;
}

export type SampleReference = readonly [type: string, from: number, ...to: readonly number[]];

/** The parts of a HEIC as iPhones write it. Its pictures aren't coded. */
export interface AppleParts {
  readonly items: readonly SampleItem[];
  readonly references: readonly SampleReference[];
}

export const ispe = (width: number, height: number): Uint8Array =>
  writeFullBox('ispe', 0, 0, u32(width, height));
export const auxC = (type: string): Uint8Array => writeFullBox('auxC', 0, 0, asciiBytes(type));
export const irot = (quarters: number): Uint8Array => writeBox('irot', Uint8Array.of(quarters));
export const hvcC = writeBox('hvcC', Uint8Array.of(1));
/** The content of a grid of one row. */
export const gridOf = (columns: number, width: number, height: number): Uint8Array =>
  concatBytes([Uint8Array.of(0, 0, 0, columns - 1), u16(width, height)]);

/** A picture in two tiles, its gain map (item 4; in two tiles if `isGrid`), thumbnails, Exif and XMP of both. */
export function appleParts(isGrid: boolean, xmp: Uint8Array, exif: Uint8Array): AppleParts {
  const profile = writeBox('colr', asciiBytes('prof'), colourProfile());
  const tile = (id: number, text: string, size: number): SampleItem => ({
    ...{ id, type: 'hvc1', bytes: asciiBytes(text), properties: [ispe(size, size), hvcC] },
  });
  const own = [auxC(`${APPLE_MAP}\0`), irot(3), profile];
  const map: SampleItem = isGrid
    ? { id: 4, type: 'grid', bytes: gridOf(2, 512, 256), properties: [ispe(512, 256), ...own] }
    : { id: 4, type: 'hvc1', bytes: asciiBytes('map'), properties: [ispe(512, 256), hvcC, ...own] };
  const exifItem = concatBytes([u32(6), asciiBytes('Exif\0\0'), exif]);
  return {
    items: [
      tile(1, 'tile-one', 512),
      tile(2, 'tile-two', 512),
      { id: 3, type: 'grid', bytes: gridOf(2, 1024, 512), properties: [ispe(1024, 512), irot(3)] },
      map,
      ...(isGrid ? [tile(5, 'map-one', 256), tile(6, 'map-two', 256)] : []),
      { ...tile(7, CANARY, 64) }, // the picture's thumbnail
      { ...tile(8, CANARY, 64) }, // the map's thumbnail
      { id: 9, type: 'Exif', bytes: exifItem },
      { id: 10, type: 'mime', bytes: xmp, mediaType: 'application/rdf+xml' },
      { id: 11, type: 'mime', bytes: canary, mediaType: 'application/rdf+xml' },
      { id: 12, type: 'Exif', bytes: exifItem },
    ],
    references: [
      ['dimg', 3, 1, 2],
      ...(isGrid ? [['dimg', 4, 5, 6] as const] : []),
      ['thmb', 7, 3],
      ['auxl', 4, 3],
      ['thmb', 8, 4],
      ['cdsc', 9, 3],
      ['cdsc', 10, 4],
      ['cdsc', 11, 3],
      ['cdsc', 12, 4],
    ],
  };
}

/** A change of one item. */
export const changeItem =
  (id: number, item: Partial<SampleItem>) =>
  ({ items, references }: AppleParts): AppleParts => ({
    items: items.map((one) => (one.id === id ? { ...one, ...item } : one)),
    references,
  });

/** The bit of properties without which a picture can't be shown. */
const essential = (property: Uint8Array): number => (hasAscii(property, 4, 'lsel') ? 0x80 : 0);

/** A HEIC of items and references, with item 3 as the picture. */
export function heicOf({ items, references }: AppleParts): Uint8Array {
  const pool = items.flatMap(({ properties = [] }) => properties);
  let next = 1;
  const associations = items.map(({ id, properties = [] }) =>
    concatBytes([
      u16(id),
      Uint8Array.of(properties.length, ...properties.map((one) => next++ | essential(one))),
    ]),
  );
  const infos = items.map(({ id, type, mediaType = '' }) =>
    writeFullBox('infe', 2, 0, u16(id, 0), asciiBytes(`${type}\0${mediaType}\0`)),
  );
  const write = (dataAt: number): Uint8Array => {
    let at = dataAt;
    const locations = items.map(({ id, bytes, construction = 0 }) => {
      at += bytes.length;
      return concatBytes([u16(id, construction, 0, 1), u32(at - bytes.length, bytes.length)]);
    });
    const links = references.map(([type, from, ...to]) => writeBox(type, u16(from, to.length, ...to)));
    return concatBytes([
      writeBox('ftyp', asciiBytes('heic'), u32(0), asciiBytes('mif1MiHEheic')),
      writeFullBox(
        'meta',
        ...([0, 0] as const),
        writeFullBox('hdlr', 0, 0, u32(0), asciiBytes('pict'), u32(0, 0, 0), Uint8Array.of(0)),
        writeFullBox('pitm', 0, 0, u16(3)),
        writeFullBox('iloc', 1, 0, u16(0x4400, items.length), ...locations),
        writeFullBox('iinf', 0, 0, u16(items.length), ...infos),
        writeFullBox('iref', 0, 0, ...links),
        writeBox(
          'iprp',
          writeBox('ipco', ...pool),
          writeFullBox('ipma', 0, 0, u32(items.length), ...associations),
        ),
      ),
    ]);
  };
  const head = write(write(0).length + 8);
  return concatBytes([head, writeBox('mdat', ...items.map(({ bytes }) => bytes))]);
}
