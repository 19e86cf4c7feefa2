import { concatBytes } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { JoinedSource } from '../../bytes/memory-source';
import { u32 } from '../../bytes/numbers';
import { readExactly } from '../../bytes/read';
import { asciiBytes, hasAscii } from '../../bytes/text';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { imageFacts } from '../../facts/media-facts';
import { readBoxes, writeBox, type Box } from '../../isobmff/boxes';
import { orient } from '../../metadata/exif-orientation';
import type { Segment } from '../../rewriting/rewrite';
import { RewriteBuilder, segmentsSize } from '../../rewriting/rewrite-builder';
import { readCodestream, type Codestream } from './codestream';

const SIGNATURE_BYTES = 12;
/** In front of each part of a split codestream: its number. The top bit is set on the last part. */
const PART_HEADER = 4;
const LAST_PART = 0x80000000;
/** Encoders write a handful. Every read of the codestream goes through all of them. */
const MAX_PARTS = 256;
const BRAND = writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl '));
/** Bytes of the signature and the brand. */
const HEAD_BYTES = SIGNATURE_BYTES + BRAND.length;

/**
 * Reads and scrubs a JPEG XL, bare or in its container (ISO/IEC 18181-2). Orientation and profile are part of the
 * codestream, which keeps every bit except the letters of names. Removes the container's Exif, XMP, JUMBF and JPEG
 * reconstruction data, and the bytes after the last frame. The end of a bare codestream with an ICC profile or
 * permuted sections is known only after decoding; such a file keeps its bytes up to its end.
 * @throws UnreadableFileError if the file is truncated, or its codestream holds a preview.
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
  return { facts, rewrite: await whole.finish(source) };
}

export interface JxlHeader {
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Code points of ITU-T H.273; undefined if a profile defines the colours. */
  readonly codedColour: { readonly primaries: number; readonly transfer: number } | undefined;
  /** Whether a profile defines the colours of a picture that is stored as XYB. */
  readonly isXybWithProfile: boolean;
}

/**
 * Reads the size and the colours of a JPEG XL, without decoding it.
 * @throws UnreadableFileError if the file is not a JPEG XL.
 */
export async function readJxlHeader(source: ByteSource): Promise<JxlHeader> {
  const joined = new JoinedSource(source, (await findCodestream(source)).parts);
  const { width, height, orientation, ...header } = (await readCodestream(joined)).header;
  const { codedColour, isXyb, hasProfile } = header;
  return { ...orient(width, height, orientation), codedColour, isXybWithProfile: isXyb && hasProfile };
}

/** The position of the codestream, and the boxes of the container; none for a bare codestream. */
async function findCodestream(
  source: ByteSource,
): Promise<{ isBare: boolean; boxes: Box[]; parts: { from: number; to: number }[] }> {
  const isBare = hasAscii(await source.read(0, SIGNATURE_BYTES), 0, '\xff\x0a');
  if (isBare) return { isBare, boxes: [], parts: [{ from: 0, to: source.size }] };
  const boxes = await readBoxes(source, SIGNATURE_BYTES, source.size, { garbageAtEnd: true });
  return { isBare, boxes, parts: (await codestreamBoxes(source, boxes)).map(contentOf) };
}

/** The box, or the numbered boxes, that hold the codestream. */
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

/** Whether the container holds only its brand, perhaps a level, and the codestream, in one box or in parts. */
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

/** Whether the codestream ends at the end of its boxes, and holds no names. */
async function isPlainCodestream(joined: JoinedSource, { end, patches }: Codestream): Promise<boolean> {
  if (end !== undefined && end !== joined.size) return false;
  for (const { offset, bytes } of patches) {
    if (Buffer.compare(await joined.read(offset, bytes.length), bytes) !== 0) return false;
  }
  return true;
}

/** The codestream up to its end, with its patches applied. */
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
