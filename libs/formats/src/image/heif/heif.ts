import { concatBytes } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { u32 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { imageFacts } from '../../facts/media-facts';
import { parseBrands, readBody, readBoxes, writeBox } from '../../isobmff/boxes';
import { readRewritten } from '../../rewriting/rewrite';
import { RewriteBuilder } from '../../rewriting/rewrite-builder';
import { appleEffect } from '../apple-gain-map';
import type { GainMapEffect } from '../gain-map';
import { proveAv1, proveAv1Track } from './av1-picture';
import { ByteMap } from './byte-map';
import { findHeifGainMap, type HeifGainMap, standAlone, withGainMap } from './gain-map-items';
import { newContents, parseMeta, writeMeta, type Meta, type ParsedMeta } from './meta-box';
import { codecOf, displayedSize, primaryPicture, withoutCrop } from './picture';
import { isPlainHeif } from './plain-heif';
import { parseSequence, type Sequence } from './sequence';
import { readMovieColour } from './sequence-colour';

const BOX_HEADER = 8;
const SEQUENCE_BRANDS = new Set(['avis', 'msf1', 'hevc', 'hevx', 'hevm', 'hevs']);
/** The brands that are repeated. Other brands may require boxes that are removed, or aren't brands at all. */
const KEPT_BRANDS = new Set([
  ...['mif1', 'mif2', 'miaf', 'MiHB', 'MiHE', 'MA1A', 'MA1B', 'MiPr'],
  ...['heic', 'heix', 'heim', 'heis', 'avif', 'avio'],
  ...['isom', 'iso3', 'iso4', 'iso5', 'iso6', 'iso7', 'iso8', 'iso9'],
]);

/**
 * Reads a HEIC or AVIF and rewrites it, unless it holds nothing else: brands, the items of the primary picture and of
 * its gain map, the tracks of an image sequence, and one `mdat` with only the bytes they point to.
 * @throws UnsupportedVariantError if the codec is neither HEVC nor AV1, or programs read the picture in different ways.
 * @throws UnreadableFileError if tables are missing or contradict each other.
 */
export async function inspectHeif(source: ByteSource): Promise<Inspection> {
  const boxes = await readBoxes(source, 0, source.size, { garbageAtEnd: true });
  const find = (type: string) => boxes.find((box) => box.type === type);
  const [ftyp, metaBox, moov] = [find('ftyp'), find('meta'), find('moov')];
  if (!ftyp) throw new UnreadableFileError('The file has no brand.');
  const brands = parseBrands(await readBody(source, ftyp));
  const meta = metaBox && parseMeta(await readBody(source, metaBox), metaBox.body, source.size);
  const picture = meta && (await provenPicture(source, meta));
  const isSequence = moov !== undefined && brands.some((brand) => SEQUENCE_BRANDS.has(brand));
  const movie = isSequence ? await readBody(source, moov) : undefined;
  const sequence = movie && (await parseSequence(movie, source.size));
  const format = formatOf(picture, sequence);
  if (format === 'avif' && movie && sequence?.codec === 'av01') {
    const { codedColour } = await readMovieColour(source, movie);
    await proveAv1Track(source, sequence.ranges.slice(0, 1), codedColour);
  }

  const size = picture ? displayedSize(picture) : (sequence ?? { width: 0, height: 0 });
  const facts = imageFacts(format, size, Math.max(1, sequence?.frames ?? 1));
  const isPlain = await isPlainHeif(source, { boxes, brands, meta, picture, sequence }, isKnownBrand);
  if (isPlain) return { facts, rewrite: null };

  // Tracks are judged in another way, without a gain map.
  const gainMap = picture && !sequence ? await findHeifGainMap(source, meta, picture) : null;
  const kept = picture && gainMap ? withGainMap(picture, gainMap) : picture;
  const isSequential = sequence !== undefined;
  const written = writeBrands(brands, format, {
    isSequence: isSequential,
    hasToneMap: Boolean(kept?.alternatives),
  });
  const whole = compose(written, kept, sequence);
  return { facts, rewrite: await whole.finish(source) };
}

/** The primary picture of a file as all programs show it. */
async function provenPicture(source: ByteSource, meta: Meta): Promise<Meta> {
  const picture = primaryPicture(meta);
  return codecOf(picture) === 'avif' ? proveAv1(source, picture) : picture;
}

/** How a screen with HDR shows a HEIC or AVIF. */
export interface SeparateGainMap {
  /** The gain map as a separate HEIC or AVIF, upright like the picture. */
  readonly file: Uint8Array;
  readonly effect: GainMapEffect;
}

/** The gain map of a HEIC or AVIF; null if it has none that `inspectHeif` keeps. */
export async function readHeifGainMap(source: ByteSource): Promise<SeparateGainMap | null> {
  const meta = await readMeta(source);
  if (!meta) return null;
  const picture = primaryPicture(meta);
  const gainMap = await findHeifGainMap(source, meta, picture);
  if (!gainMap) return null;
  const file = await writeStill(source, standAlone(gainMap), codecOf(picture));
  return { file, effect: effectOf(gainMap.values) };
}

/** The primary picture of a HEIC or AVIF as a separate file without its crop (`clap`); null if it isn't cropped. */
export async function readUncroppedHeif(source: ByteSource): Promise<Uint8Array | null> {
  const meta = await readMeta(source);
  const picture = meta && primaryPicture(meta);
  const uncropped = picture && withoutCrop(picture);
  return uncropped ? writeStill(source, uncropped, codecOf(picture)) : null;
}

async function readMeta(source: ByteSource): Promise<ParsedMeta | null> {
  const boxes = await readBoxes(source, 0, source.size, { garbageAtEnd: true });
  const box = boxes.find(({ type }) => type === 'meta');
  return box ? parseMeta(await readBody(source, box), box.body, source.size) : null;
}

async function writeStill(source: ByteSource, picture: Meta, format: 'avif' | 'heic'): Promise<Uint8Array> {
  const whole = compose(writeBrands([format, 'mif1'], format, {}), picture, undefined);
  return readRewritten(source, whole.parts);
}

const effectOf = (values: HeifGainMap['values']): GainMapEffect =>
  'apple' in values ? appleEffect(values.apple) : { kind: 'logarithmic', fields: values.fields };

/** A file of brands, a picture and a sequence. */
function compose(
  brands: Uint8Array,
  picture: Meta | undefined,
  sequence: Sequence | undefined,
): RewriteBuilder {
  const map = new ByteMap([
    ...[...(picture?.items.values() ?? [])].flatMap((item) => item.extents),
    ...(sequence?.ranges ?? []),
  ]);
  const added = concatBytes(picture ? newContents(picture) : []);
  const whole = new RewriteBuilder();
  whole.put(writeHead(brands, picture, sequence, map));
  whole.put(concatBytes([u32(map.size + added.length + BOX_HEADER), asciiBytes('mdat')]));
  for (const { from, to } of map.ranges) whole.keep(from, to);
  whole.put(added);
  return whole;
}

function isKnownBrand(brand: string): boolean {
  return KEPT_BRANDS.has(brand) || SEQUENCE_BRANDS.has(brand);
}

function formatOf(picture: Meta | undefined, sequence: Sequence | undefined): 'avif' | 'heic' {
  if (picture) return codecOf(picture);
  if (sequence?.codec === 'av01') return 'avif';
  if (sequence && /^h[ev][vc]1$/.test(sequence.codec)) return 'heic';
  if (sequence)
    throw new UnsupportedVariantError('HEIF with a codec other than HEVC and AV1 is not supported.');
  throw new UnreadableFileError('The file has no picture.');
}

function writeBrands(
  brands: readonly string[],
  format: 'avif' | 'heic',
  { isSequence = false, hasToneMap = false },
): Uint8Array {
  const isKept = (brand: string): boolean =>
    KEPT_BRANDS.has(brand) || (isSequence && SEQUENCE_BRANDS.has(brand));
  const [major = '', ...compatible] = brands;
  const kept = [...new Set([...compatible, format])].filter(isKept);
  if (hasToneMap) kept.push('tmap');
  return writeBox('ftyp', asciiBytes(isKept(major) ? major : format), u32(0), ...kept.map(asciiBytes));
}

/**
 * Everything before the data. Its length doesn't depend on the offsets in it, so it is written twice: to measure, and
 * to keep.
 */
function writeHead(
  brands: Uint8Array,
  picture: Meta | undefined,
  sequence: Sequence | undefined,
  map: ByteMap,
): Uint8Array {
  const write = (dataOffset: number): Uint8Array =>
    concatBytes([
      brands,
      picture ? writeMeta(picture, map, dataOffset) : new Uint8Array(0),
      sequence ? sequence.write(map, dataOffset) : new Uint8Array(0),
    ]);
  return write(write(0).length + BOX_HEADER);
}
