import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';

export const XMP_NAME = 'http://ns.adobe.com/xap/1.0/\0';
/** The name of the segment with the index of the pictures in a JPEG file (CIPA DC-007). */
export const MPF_NAME = 'MPF\0';

const HDRGM = 'http://ns.adobe.com/hdr-gain-map/1.0/';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
/** A red, a green and a blue number, or one for all three. */
type Numbers = readonly number[];

/**
 * How a gain map brightens a picture (Ultra HDR image format 1.1; ISO 21496-1 has the same model): light in HDR is
 * `(light + offsetSdr) * 2 ** (min + (max - min) * value ** (1 / gamma)) - offsetHdr`, with values from 0 to 1.
 */
export interface GainMapFields {
  readonly min: Numbers;
  readonly max: Numbers;
  readonly gamma: Numbers;
  readonly offsetSdr: Numbers;
  readonly offsetHdr: Numbers;
  /** Logarithms (base 2) of the brightness of a screen, as a multiple of white, between which the map is faded in. */
  readonly capacityMin: Numbers;
  readonly capacityMax: Numbers;
}

/** How a screen brightens a picture with a gain map at full strength. */
export type GainMapEffect =
  | { readonly kind: 'logarithmic'; readonly fields: GainMapFields }
  /** `light * (1 + (headroom - 1) * value)`, where both are linear. */
  | { readonly kind: 'linear'; readonly headroom: number };

/** The names in XMP, the values if they are missing, and the range that real photographs keep by far. */
const FIELDS: Readonly<
  Record<keyof GainMapFields, readonly [name: string, usual: number | null, least: number, most: number]>
> = {
  min: ['GainMapMin', 0, -8, 8],
  max: ['GainMapMax', null, -8, 8],
  gamma: ['Gamma', 1, 0.05, 20],
  offsetSdr: ['OffsetSDR', 1 / 64, 0, 1],
  offsetHdr: ['OffsetHDR', 1 / 64, 0, 1],
  capacityMin: ['HDRCapacityMin', 0, 0, 8],
  capacityMax: ['HDRCapacityMax', null, 0, 8],
};
const FIELD_NAMES = Object.keys(FIELDS) as (keyof GainMapFields)[];
/** A list of three numbers is shorter. */
const MAX_LIST = 1024;
/** Six decimals are more than eight bits of a map can use. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Reads the fields from the XMP of a gain map; null if it describes none, or one that this library doesn't keep. */
export function readGainMapFields(xmp: string): GainMapFields | null {
  if (!xmp.includes(`xmlns:hdrgm="${HDRGM}"`) || !/hdrgm:Version="1\.0"/.test(xmp)) return null;
  // Such a file shows its HDR picture to everybody, and the map makes it darker.
  if (/hdrgm:BaseRenditionIsHDR="true"/i.test(xmp)) return null;
  const fields: Partial<Record<keyof GainMapFields, Numbers>> = {};
  for (const field of FIELD_NAMES) {
    const [name, usual] = FIELDS[field];
    fields[field] = readNumbers(xmp, name) ?? (usual === null ? [NaN] : [usual]);
  }
  return checkFields(fields as GainMapFields);
}

/**
 * The fields, rounded, and all with three numbers if one of them has three; null if one is out of range. Of the two
 * capacities, only the first number counts. The second one must be larger: otherwise the picture itself is in HDR.
 */
export function checkFields(fields: GainMapFields): GainMapFields | null {
  const isInRange = (field: keyof GainMapFields): boolean => {
    const [, , least, most] = FIELDS[field];
    return fields[field].every((value) => value >= least && value <= most);
  };
  const { capacityMin, capacityMax, ...channels } = fields;
  const count = Math.max(...Object.values(channels).map(({ length }) => length));
  const spread = (numbers: Numbers): Numbers =>
    Array.from({ length: count }, (_, n) => rounded(numbers[n] ?? numbers[0] ?? NaN));
  const [min, max] = [spread(channels.min), spread(channels.max)];
  if (!FIELD_NAMES.every(isInRange) || !max.every((value, n) => value >= (min[n] ?? NaN))) return null;
  const [from = NaN, to = NaN] = [capacityMin[0], capacityMax[0]].map((value = NaN) => rounded(value));
  if (!(from < to)) return null;
  return {
    ...{ min, max, gamma: spread(channels.gamma) },
    ...{ offsetSdr: spread(channels.offsetSdr), offsetHdr: spread(channels.offsetHdr) },
    ...{ capacityMin: [from], capacityMax: [to] },
  };
}

/** One number in an attribute, or one or three in a list. */
function readNumbers(xmp: string, name: string): Numbers | null {
  const attribute = new RegExp(`hdrgm:${name}="([^"<]{1,32})"`).exec(xmp)?.[1];
  if (attribute !== undefined) return toNumbers([attribute]);
  const from = xmp.indexOf(`<hdrgm:${name}>`);
  if (from < 0) return null;
  const list = xmp.slice(from, from + MAX_LIST);
  const end = list.indexOf(`</hdrgm:${name}>`);
  if (end < 0) return toNumbers([]);
  const items = [...list.slice(0, end).matchAll(/<rdf:li>([^<]{1,32})<\/rdf:li>/g)].map(
    ([, item = '']) => item,
  );
  return toNumbers(items);
}

/** A list that is not one or three numbers becomes NaN, which is in no range. */
function toNumbers(texts: readonly string[]): Numbers {
  const isNumber = (text: string): boolean => /^\s*[-+]?\d{1,12}(?:\.\d{1,20})?\s*$/.test(text);
  return (texts.length === 1 || texts.length === 3) && texts.every(isNumber) ? texts.map(Number) : [NaN];
}

const writeXmp = (attributes: string, content: string): Uint8Array =>
  asciiBytes(
    `${XMP_NAME}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">` +
      `<rdf:Description rdf:about="" xmlns:hdrgm="${HDRGM}"${attributes} hdrgm:Version="1.0">${content}` +
      '</rdf:Description></rdf:RDF></x:xmpmeta>',
  );

/** The XMP of a gain map, with its fields and nothing else. */
export function writeGainMapXmp(fields: GainMapFields): Uint8Array {
  const lists = FIELD_NAMES.map((field) => {
    const [name] = FIELDS[field];
    const items = fields[field].map((value) => `<rdf:li>${value.toFixed(6)}</rdf:li>`).join('');
    return `<hdrgm:${name}><rdf:Seq>${items}</rdf:Seq></hdrgm:${name}>`;
  });
  return writeXmp(' hdrgm:BaseRenditionIsHDR="False"', lists.join(''));
}

/** The XMP of a picture that a gain map of `length` bytes follows. */
export function writePrimaryXmp(length: number): Uint8Array {
  const item = (attributes: string): string =>
    `<rdf:li rdf:parseType="Resource"><Container:Item ${attributes} Item:Mime="image/jpeg"/></rdf:li>`;
  return writeXmp(
    ' xmlns:Container="http://ns.google.com/photos/1.0/container/"' +
      ' xmlns:Item="http://ns.google.com/photos/1.0/container/item/"',
    '<Container:Directory><rdf:Seq>' +
      item('Item:Semantic="Primary"') +
      item(`Item:Semantic="GainMap" Item:Length="${length}"`) +
      '</rdf:Seq></Container:Directory>',
  );
}

/** The position of a picture in a file. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

const ENTRY_BYTES = 12;
const PICTURE_BYTES = 16;
const MAX_ENTRIES = 16;
const MAX_PICTURES = 10;
const PICTURES_TAG = 0xb002;

/**
 * The places of the pictures after the first one in a Multi-Picture Format index (CIPA DC-007): those that lie between
 * `end` and the end of the file and don't overlap, in order. `index` is the content of its segment after the name, and
 * `at` its position, from which offsets count.
 */
export function readPlaces(source: ByteSource, index: Uint8Array, at: number, end: number): Place[] {
  try {
    const sorted = listPictures(index)
      .map(({ offset, size }) => ({ from: at + offset, to: at + offset + size }))
      .filter(({ from, to }) => from >= end && to > from && to <= source.size)
      .sort((a, b) => a.from - b.from);
    const places: Place[] = [];
    for (const place of sorted) if (place.from >= (places.at(-1)?.to ?? end)) places.push(place);
    return places;
  } catch (error) {
    if (error instanceof UnreadableFileError) return [];
    throw error;
  }
}

function listPictures(index: Uint8Array): { readonly offset: number; readonly size: number }[] {
  const littleEndian = index[0] === 0x49;
  const head = new Cursor(index, 0, littleEndian);
  const order = head.ascii(2);
  if ((order !== 'II' && order !== 'MM') || head.u16() !== 42) return [];
  const directory = new Cursor(index, head.u32(), littleEndian);
  const count = Math.min(directory.u16(), MAX_ENTRIES);
  for (let entry = 0; entry < count; entry++) {
    const tag = new Cursor(index, directory.position + entry * ENTRY_BYTES, littleEndian);
    if (tag.u16() !== PICTURES_TAG || tag.u16() === 0) continue;
    const pictures = Math.min(Math.floor(tag.u32() / PICTURE_BYTES), MAX_PICTURES);
    const list = new Cursor(index, tag.u32(), littleEndian);
    return Array.from({ length: pictures }, () => {
      list.u32();
      const [size, offset] = [list.u32(), list.u32()];
      list.u32();
      return { offset, size };
    }).filter(({ offset }) => offset > 0);
  }
  return [];
}

/** Bytes of an index of two pictures, with its name. */
export const INDEX_BYTES = MPF_NAME.length + 82;

/** An index of two pictures: `primary` bytes, and `second` bytes that start `offset` bytes after the index's header. */
export function writeIndex(primary: number, second: number, offset: number): Uint8Array {
  const index = new Uint8Array(INDEX_BYTES - MPF_NAME.length);
  const view = new DataView(index.buffer);
  const put = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, n) => view.setUint32(at + n * 4, value));
  index.set(asciiBytes('MM\0*'));
  put(4, 8);
  view.setUint16(8, 3);
  put(10, 0xb000_0007, 4, 0x3031_3030);
  put(22, 0xb001_0004, 1, 2);
  put(34, 0xb002_0007, 2 * PICTURE_BYTES, 50);
  put(46, 0);
  put(50, 0x0003_0000, primary, 0, 0);
  put(66, 0, second, offset, 0);
  return concatBytes([asciiBytes(MPF_NAME), index]);
}
