import type { ByteSource } from '../../byte-source';
import { asciiBytes, concatBytes, Cursor, hasAscii } from '../../bytes/cursor';
import { JoinedSource } from '../../bytes/memory-source';
import { readExactly } from '../../bytes/read';
import { RewriteBuilder, segmentsSize } from '../../bytes/rewrite-builder';
import { readBoxes, u32, writeBox, type Box } from '../../isobmff/boxes';
import { UnreadableFileError, type Inspection } from '../../media-format';
import type { Segment } from '../../rewrite';
import { orient } from '../exif-orientation';
import { imageFacts } from '../image-facts';
import { readCodestream, type Codestream } from './codestream';

const SIGNATURE_BYTES = 12;
/** In front of each part of a split codestream: its number, with the top bit set on the last. */
const PART_HEADER = 4;
const LAST_PART = 0x80000000;
/** Encoders write a handful; every read of the codestream looks through all of them. */
const MAX_PARTS = 256;
const BRAND = writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl '));
/** Signature and brand. */
const HEAD_BYTES = SIGNATURE_BYTES + BRAND.length;

/**
 * Reads and scrubs a JPEG XL, bare or in its container (ISO/IEC 18181-2). Orientation and profile are part of the
 * codestream, which keeps every bit but the letters of names. The container's Exif, XMP, JUMBF and JPEG
 * reconstruction data go, and so does what follows the last frame. Only a decoder could tell where a bare
 * codestream with an ICC profile or permuted sections ends: that one is served up to the end of the file.
 * @throws UnreadableFileError where it is cut off, or carries a preview within the codestream.
 */
export async function inspectJxl(source: ByteSource): Promise<Inspection> {
  const { isBare, boxes, parts } = await findCodestream(source);
  const joined = new JoinedSource(source, parts);
  const codestream = await readCodestream(joined);
  const { width, height, orientation } = codestream.header;

  const facts = imageFacts('jxl', orient(width, height, orientation), codestream.frames);
  if (
    !isBare &&
    (await isPlainContainer(source, boxes, parts)) &&
    (await isPlainCodestream(joined, codestream))
  )
    return { facts, rewrite: null };
  const whole = new RewriteBuilder();
  if (isBare) whole.append(codestreamSegments(joined, codestream));
  else await writeContainer(source, whole, boxes, codestreamSegments(joined, codestream));
  return { facts, rewrite: await whole.settle(source) };
}

export interface JxlHeader {
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** The meaning of the values, as code points of ITU-T H.273; undefined where a profile gives it. */
  readonly codedColour: { readonly primaries: number; readonly transfer: number } | undefined;
}

/**
 * Reads the size and the colours of a JPEG XL, without decoding it.
 * @throws UnreadableFileError where it is no JPEG XL.
 */
export async function readJxlHeader(source: ByteSource): Promise<JxlHeader> {
  const joined = new JoinedSource(source, (await findCodestream(source)).parts);
  const { width, height, orientation, codedColour } = (await readCodestream(joined)).header;
  return { ...orient(width, height, orientation), codedColour };
}

/** The position of the codestream, and the container's boxes; a bare codestream has none. */
async function findCodestream(
  source: ByteSource,
): Promise<{ isBare: boolean; boxes: Box[]; parts: { from: number; to: number }[] }> {
  const isBare = hasAscii(await source.read(0, SIGNATURE_BYTES), 0, '\xff\x0a');
  if (isBare) return { isBare, boxes: [], parts: [{ from: 0, to: source.size }] };
  const boxes = await readBoxes(source, SIGNATURE_BYTES, source.size, { garbageAtEnd: true });
  return { isBare, boxes, parts: (await codestreamBoxes(source, boxes)).map(contentOf) };
}

/** The one box, or the numbered boxes, that hold the codestream. */
async function codestreamBoxes(source: ByteSource, boxes: readonly Box[]): Promise<Box[]> {
  const whole = boxes.find((box) => box.type === 'jxlc');
  if (whole) return [whole];
  const parts: Box[] = [];
  for (const box of boxes.filter(({ type }) => type === 'jxlp')) {
    parts.push(box);
    if (parts.length > MAX_PARTS) throw new UnreadableFileError('The JPEG XL is in too many parts.');
    const number = new Cursor(
      await readExactly(source, box.body, Math.min(PART_HEADER, box.end - box.body)),
    ).u32();
    if (number >= LAST_PART) return parts;
  }
  throw new UnreadableFileError('The JPEG XL ends too early.');
}

function contentOf(box: Box): { from: number; to: number } {
  return { from: box.type === 'jxlp' ? box.body + PART_HEADER : box.body, to: box.end };
}

/** Whether the container holds its brand, a level perhaps, and the codestream, in one box or in parts. */
async function isPlainContainer(
  source: ByteSource,
  boxes: readonly Box[],
  parts: readonly unknown[],
): Promise<boolean> {
  const [brand, second] = boxes;
  const level = second?.type === 'jxll' ? second : undefined;
  const rest = boxes.slice(level ? 2 : 1);
  const isInOrder =
    rest.every(({ type }) => type === 'jxlp') || (rest.length === 1 && rest[0]?.type === 'jxlc');
  if (!isInOrder || rest.length !== parts.length || rest.at(-1)?.end !== source.size) return false;
  if (brand?.end !== HEAD_BYTES || (level && level.end - level.body !== 1)) return false;
  const head = await readExactly(source, SIGNATURE_BYTES, BRAND.length);
  return Buffer.compare(head, BRAND) === 0;
}

/** Whether the codestream ends where its boxes do, and names nothing. */
async function isPlainCodestream(joined: JoinedSource, { end, patches }: Codestream): Promise<boolean> {
  if (end !== undefined && end !== joined.size) return false;
  for (const { offset, bytes } of patches) {
    if (Buffer.compare(await joined.read(offset, bytes.length), bytes) !== 0) return false;
  }
  return true;
}

/** The codestream up to its end, with its patches in place. */
function codestreamSegments(joined: JoinedSource, { end = joined.size, patches }: Codestream): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { offset, bytes } of patches) {
    segments.push(...joined.runs(at, offset), { bytes });
    at = offset + bytes.length;
  }
  return [...segments, ...joined.runs(at, end)];
}

/** The container, with the codestream in one box. */
async function writeContainer(
  source: ByteSource,
  whole: RewriteBuilder,
  boxes: readonly Box[],
  codestream: readonly Segment[],
): Promise<void> {
  whole.keep(0, SIGNATURE_BYTES);
  whole.put(BRAND);
  const level = boxes.find((box) => box.type === 'jxll');
  if (level) whole.put(writeBox('jxll', await readExactly(source, level.body, 1)));
  whole.put(concatBytes([u32(segmentsSize(codestream) + 8), asciiBytes('jxlc')]));
  whole.append(codestream);
}
