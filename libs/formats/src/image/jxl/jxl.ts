import type { ByteSource } from '../../byte-source';
import { asciiBytes, concatBytes, Cursor, hasAscii } from '../../bytes/cursor';
import { readExactly } from '../../bytes/read';
import { RewriteBuilder } from '../../bytes/rewrite-builder';
import { readBoxes, u32, writeBox, type Box } from '../../isobmff/boxes';
import { UnreadableFileError, type Inspection } from '../../media-format';
import { orient } from '../exif-orientation';
import { imageFacts } from '../image-facts';
import { readCodestreamHeader, type CodestreamHeader } from './codestream';

/** Enough for the headers that are read, whatever they hold. */
const HEADER_BYTES = 64;
const SIGNATURE_BYTES = 12;
/** In front of each part of a split codestream: its number, with the top bit set on the last. */
const PART_HEADER = 4;
const LAST_PART = 0x80000000;

/**
 * Reads and scrubs a JPEG XL, bare or in its container (ISO/IEC 18181-2). Orientation and profile are part of the
 * codestream, which stays as it is; the container's Exif, XMP, JUMBF and JPEG reconstruction data go.
 * Where a codestream ends can't be told without decoding it, so what follows a bare one stays.
 * @throws UnreadableFileError where it is cut off, or carries a preview within the codestream.
 */
export async function inspectJxl(source: ByteSource): Promise<Inspection> {
  const start = await source.read(0, SIGNATURE_BYTES);
  if (hasAscii(start, 0, '\xff\x0a')) {
    return { facts: jxlFacts(await source.read(0, HEADER_BYTES)), rewrite: null };
  }
  const boxes = await readBoxes(source, SIGNATURE_BYTES, source.size, { garbageAtEnd: true });
  const stream = await codestreamBoxes(source, boxes);
  const facts = jxlFacts(await firstBytes(source, stream));

  const whole = new RewriteBuilder();
  whole.keep(0, SIGNATURE_BYTES);
  whole.put(writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl ')));
  const level = boxes.find((box) => box.type === 'jxll');
  if (level) whole.put(writeBox('jxll', await readExactly(source, level.body, 1)));
  for (const box of stream) {
    whole.put(concatBytes([u32(box.end - box.body + 8), asciiBytes(box.type)]));
    whole.keep(box.body, box.end);
  }
  return { facts, rewrite: await whole.settle(source) };
}

/** The one box, or the numbered boxes, that hold the codestream. */
async function codestreamBoxes(source: ByteSource, boxes: readonly Box[]): Promise<Box[]> {
  const whole = boxes.find((box) => box.type === 'jxlc');
  if (whole) return [whole];
  const parts: Box[] = [];
  for (const box of boxes.filter(({ type }) => type === 'jxlp')) {
    parts.push(box);
    const number = new Cursor(
      await readExactly(source, box.body, Math.min(PART_HEADER, box.end - box.body)),
    ).u32();
    if (number >= LAST_PART) return parts;
  }
  throw new UnreadableFileError('The JPEG XL ends too early.');
}

async function firstBytes(source: ByteSource, stream: readonly Box[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const box of stream) {
    if (length >= HEADER_BYTES) break;
    const from = box.type === 'jxlp' ? box.body + PART_HEADER : box.body;
    const piece = await source.read(from, Math.min(HEADER_BYTES - length, box.end - from));
    pieces.push(piece);
    length += piece.length;
  }
  return concatBytes(pieces);
}

function jxlFacts(start: Uint8Array): Inspection['facts'] {
  const header: CodestreamHeader = readCodestreamHeader(start);
  if (header.hasPreview)
    throw new UnreadableFileError('The JPEG XL carries a preview, which can not be taken out.');
  return imageFacts('jxl', orient(header.width, header.height, header.orientation));
}
