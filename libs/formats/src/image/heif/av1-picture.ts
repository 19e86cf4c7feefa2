import { concatBytes } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { u16 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { readAv1Sequence, type Av1Sequence } from './av1-sequence';
import { firstAv1Unit, readAv1Units, UNIT } from './av1-units';
import type { Range } from './byte-map';
import { type CodedColour, partsOf, readCodedColour, readPlane, type HeifPlane } from './heif-picture';
import type { Item, Meta, Property } from './meta-box';
import { propertyMaker, withKnownColours } from './picture';

/** Edges of tiles below which browsers show nothing (ISO/IEC 23000-22, section 7.3.11.4.2). */
const LEAST_TILE = 64;
/** Different coded pictures; one of 100 megapixels in tiles of 256 pixels has 1,500. */
const MAX_PIECES = 4096;
const CONFIGURATION_BYTES = 4;
const HAS_DELAY = 0x10;
/** Matrix coefficients (ITU-T H.273, table 4) that programs read in the same way: in any range, and only in the full range. */
const MATRICES: ReadonlySet<number> = new Set([0, 1, 2, 4, 5, 6, 7, 9, 12]);
const FULL_RANGE_MATRIX = 8;
/** Unspecified, and two codes. */
const BT601_MATRICES: ReadonlySet<number> = new Set([2, 5, 6]);
const IDENTITY = 0;
const KNOWN_UNITS: ReadonlySet<number> = new Set(Object.values(UNIT));

/**
 * An AVIF whose boxes say what its AV1 pictures are: programs that trust the boxes and those that trust the pictures show
 * the same. `av1C` and `pixi` are written again if they differ.
 * @throws UnreadableFileError if sizes contradict each other, or a picture has no valid header.
 * @throws UnsupportedVariantError if a picture has layers or several frames, is derived in another way than as a grid, or
 * is a grid that browsers don't show.
 */
export async function proveAv1(source: ByteSource, picture: Meta): Promise<Meta> {
  const pieces = new Map<string, Promise<CodedPicture>>();
  const read = (item: Item): Promise<CodedPicture> => {
    const key = item.extents.map(({ from, to }) => `${from}-${to}`).join();
    const known = pieces.get(key) ?? readCoded(source, item);
    pieces.set(key, known);
    if (pieces.size > MAX_PIECES) throw new UnreadableFileError('The picture is in too many pieces.');
    return known;
  };
  const coded = new Map<number, CodedPicture>();
  for (const item of picture.items.values()) {
    if (item.type === 'av01') coded.set(item.id, await read(item));
    else if (item.type !== 'grid')
      throw new UnsupportedVariantError(`AVIF with a part of the type ${item.type} is not supported.`);
  }
  const proven = { ...picture, items: withProperties(picture, coded) };
  const [primary, alpha] = [planeItem(proven), alphaItem(proven)];
  const colours = await provePlane(source, proven, primary, coded);
  const transparency = alpha && (await provePlane(source, proven, alpha, coded));
  if (transparency && (transparency.width !== colours.width || transparency.height !== colours.height))
    throw new UnsupportedVariantError('AVIF with transparency of another size is not supported.');
  if (picture.references.some(({ type }) => type === 'prem'))
    throw new UnsupportedVariantError('AVIF with premultiplied transparency is not supported.');
  const { sequence } = firstCoded(proven, primary, coded);
  if (alpha && firstCoded(proven, alpha, coded).sequence.depth !== sequence.depth)
    throw new UnsupportedVariantError('AVIF with transparency of another depth is not supported.');
  return withColours(proven, primary, sequence);
}

/**
 * The picture with code points of colours that all programs know: those of its box, or else those of the AV1 picture. They
 * are given in a box if the AV1 picture declares others.
 */
function withColours(picture: Meta, primary: Item, sequence: Av1Sequence): Meta {
  const declared = sequence.colour;
  const given = readCodedColour(primary);
  const { matrix, isFullRange } = given ?? declared;
  checkMatrix(matrix, sequence, MATRICES.has(matrix) || (matrix === FULL_RANGE_MATRIX && isFullRange));
  if (given) return picture;
  const body = codePoints(declared);
  const known = withKnownColours(body);
  if (known === body) return picture;
  const colours = propertyMaker(picture)('colr', known);
  const items = new Map(picture.items);
  items.set(primary.id, { ...primary, properties: [...primary.properties, colours] });
  return { ...picture, items };
}

function checkMatrix(matrix: number, { isGrey, halves }: Av1Sequence, isKnown: boolean): void {
  if (!isKnown || (matrix === IDENTITY && !isGrey && halves.columns))
    throw new UnsupportedVariantError(`AVIF with matrix coefficients ${matrix} is not supported.`);
}

/**
 * Checks that all programs read the values of a sequence alike: with a matrix that browsers know in any range, because
 * some take that of each track for limited, and as the pictures say in the box (`given`) too.
 * @throws UnreadableFileError if the first picture has no valid header.
 * @throws UnsupportedVariantError if they don't.
 */
export async function proveAv1Track(
  source: ByteSource,
  first: readonly Range[],
  given: CodedColour | undefined,
): Promise<void> {
  const header = await firstAv1Unit(source, first, UNIT.sequenceHeader);
  if (!header) throw new UnreadableFileError('The sequence has no AV1 picture.');
  const sequence = readAv1Sequence(header.bytes.subarray(header.headerBytes));
  const { colour: declared } = sequence;
  for (const { matrix } of [declared, given ?? declared]) checkMatrix(matrix, sequence, MATRICES.has(matrix));
  const isSame =
    !given ||
    (weightsOf(given.matrix) === weightsOf(declared.matrix) && given.isFullRange === declared.isFullRange);
  if (!isSame)
    throw new UnsupportedVariantError('AVIF with a track that contradicts its pictures is not supported.');
}

/** A matrix by its first code: three mean BT.601. */
const weightsOf = (matrix: number): number => (BT601_MATRICES.has(matrix) ? 2 : matrix);

const codePoints = ({ primaries, transfer, matrix, isFullRange }: CodedColour): Uint8Array =>
  concatBytes([asciiBytes('nclx'), u16(primaries, transfer, matrix), Uint8Array.of(isFullRange ? 0x80 : 0)]);

/** The picture of an item, or of its first tile. */
function firstCoded(picture: Meta, item: Item, coded: ReadonlyMap<number, CodedPicture>): CodedPicture {
  const found = coded.get(item.id) ?? firstTile(picture, item, coded);
  if (!found) throw new UnreadableFileError('Tiles of the picture are missing.');
  return found;
}

interface CodedPicture {
  readonly sequence: Av1Sequence;
  /** The unit of the sequence header. */
  readonly header: Uint8Array;
}

async function readCoded(source: ByteSource, { extents }: Item): Promise<CodedPicture> {
  const units = await readAv1Units(source, extents);
  const headers = units.filter(({ type }) => type === UNIT.sequenceHeader);
  const [header] = headers;
  const frames = units.filter(({ type }) => type === UNIT.frame || type === UNIT.frameHeader);
  if (!header || frames.length === 0)
    throw new UnreadableFileError('A part of the picture has no AV1 picture.');
  const sequence = readAv1Sequence(header.bytes.subarray(header.headerBytes));
  const isOne =
    headers.length === 1 &&
    frames.length === 1 &&
    sequence.operatingPoints === 1 &&
    units.every(({ type, spatialLayer }) => KNOWN_UNITS.has(type) && spatialLayer === 0);
  if (!isOne)
    throw new UnsupportedVariantError('AVIF with several layers or frames in one picture is not supported.');
  return { sequence, header: header.bytes };
}

/** The items with the properties that their pictures have. */
function withProperties(picture: Meta, coded: ReadonlyMap<number, CodedPicture>): Map<number, Item> {
  const all = [...picture.items.values()];
  const create = propertyMaker(picture);
  const written = new Map<string, Property>();
  const replaced = ({ type, isEssential }: Property, body: Uint8Array): Property => {
    const key = `${type} ${Buffer.from(body).toString('hex')}`;
    const known = written.get(key) ?? { ...create(type, body), isEssential };
    written.set(key, known);
    return known;
  };
  return new Map(
    all.map((item) => {
      const tile = firstCoded(picture, item, coded);
      const properties = item.properties.map((property) => {
        const { type, body } = property;
        const expected =
          type === 'pixi' ? depths(tile.sequence) : type === 'av1C' ? configuration(tile, body) : body;
        return Buffer.compare(expected, body) === 0 ? property : replaced(property, expected);
      });
      const isSame = properties.every((property, at) => property === item.properties[at]);
      return [item.id, isSame ? item : { ...item, properties }];
    }),
  );
}

function firstTile(
  { references }: Meta,
  { id }: Item,
  coded: ReadonlyMap<number, CodedPicture>,
): CodedPicture | undefined {
  const tile = references.find(({ type, from }) => type === 'dimg' && from === id)?.to[0];
  return tile === undefined ? undefined : coded.get(tile);
}

/** The content of `pixi`: the bits of each channel (ISO/IEC 23008-12, 6.5.6). */
function depths({ isGrey, depth }: Av1Sequence): Uint8Array {
  const channels = isGrey ? 1 : 3;
  return Uint8Array.of(0, 0, 0, 0, channels, ...Array<number>(channels).fill(depth));
}

/** The content of `av1C`; the header of the picture may follow. */
function configuration({ sequence, header }: CodedPicture, body: Uint8Array): Uint8Array {
  // The last byte is a delay, if a bit says so (AV1-ISOBMFF 2.3.3).
  const delay = body[CONFIGURATION_BYTES - 1] ?? 0;
  const [version, profile, kind] = sequence.configuration;
  // The position of subsampled colours is not taken from here, and encoders write any for other pictures.
  const position = (body[2] ?? 0) & 3;
  const whole = Uint8Array.of(version, profile, kind | position, delay & HAS_DELAY ? delay & 0x1f : 0);
  const rest = body.subarray(CONFIGURATION_BYTES);
  return Buffer.compare(rest, header) === 0 ? Buffer.concat([whole, rest]) : whole;
}

const planeItem = ({ items, primary }: Meta): Item => items.get(primary) as Item;

function alphaItem({ items, references }: Meta): Item | undefined {
  const alpha = references.find(({ type }) => type === 'auxl');
  return alpha && items.get(alpha.from);
}

/** The tiles of an item, if they are as large as they say, and browsers show them. */
async function provePlane(
  source: ByteSource,
  picture: Meta,
  item: Item,
  coded: ReadonlyMap<number, CodedPicture>,
): Promise<HeifPlane> {
  const plane = await readPlane(source, picture, item);
  if (!plane)
    throw new UnsupportedVariantError('AVIF with tiles that differ from each other is not supported.');
  const tiles = item.type === 'grid' ? partsOf(picture, item.id) : [item];
  for (const tile of tiles) {
    const { sequence } = firstCoded(picture, tile, coded);
    if (sequence.width !== plane.tileWidth || sequence.height !== plane.tileHeight)
      throw new UnreadableFileError('A part of the picture has another size than its header says.');
    if (tiles.length > 1) checkGrid(plane, sequence);
  }
  return plane;
}

function checkGrid(
  { width, height, tileWidth, tileHeight }: HeifPlane,
  { halves, isGrey }: Av1Sequence,
): void {
  const isOdd = (halved: boolean, ...edges: readonly number[]): boolean =>
    halved && !isGrey && edges.some((edge) => edge % 2 === 1);
  if (
    Math.min(tileWidth, tileHeight) < LEAST_TILE ||
    isOdd(halves.columns, width, tileWidth) ||
    isOdd(halves.rows, height, tileHeight)
  )
    throw new UnsupportedVariantError(
      'AVIF with tiles of an odd size or of less than 64 pixels is not supported.',
    );
}
