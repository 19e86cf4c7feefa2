import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { UnreadableFileError } from '../errors/file-errors';
import type { Segment } from '../rewriting/rewrite';
import { segmentsSize } from '../rewriting/rewrite-builder';
import {
  type GainMapFields,
  INDEX_BYTES,
  type Place,
  readGainMapFields,
  readPlaces,
  writeGainMapXmp,
  writeIndex,
  writePrimaryXmp,
} from './gain-map';
import { type JpegStream, readJpegStream } from './jpeg-stream';

const SOI_BYTES = 2;
const SEGMENT_HEAD = 4;
const [APP1, APP2] = [0xe1, 0xe2];

/** A gain map that follows a JPEG picture. */
export interface GainMap extends Place {
  readonly fields: GainMapFields;
  readonly stream: JpegStream;
}

/**
 * Finds the gain map of a picture: the first picture in its index that is a whole JPEG of no more pixels, and whose XMP
 * has the fields of a gain map. Each byte after the picture is read once at most.
 */
export async function findGainMap(source: ByteSource, picture: JpegStream): Promise<GainMap | null> {
  if (!picture.index || picture.width === 0) return null;
  const { data, at } = picture.index;
  for (const place of readPlaces(source, data, at, picture.end)) {
    const stream = await readWithin(source, place);
    const fields = stream?.xmp ? readGainMapFields(stream.xmp) : null;
    if (!stream || !fields || stream.width === 0) continue;
    if (stream.width * stream.height > picture.width * picture.height) continue;
    return { ...place, fields, stream };
  }
  return null;
}

/** The JPEG at a place, without what follows it there; null if it isn't a whole JPEG. */
async function readWithin(source: ByteSource, { from, to }: Place): Promise<JpegStream | null> {
  const bounded: ByteSource = { size: to, read: (at, length) => source.read(at, length) };
  try {
    return await readJpegStream(bounded, from);
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

/**
 * A picture and its gain map as one file: each with only the parts that are needed to show it, and an index and XMP that
 * are new and hold nothing but the numbers of the map.
 */
export function joinGainMap(picture: JpegStream, map: GainMap): Segment[] {
  const second = withSegments(map.stream.segments, writeSegment(APP1, writeGainMapXmp(map.fields)));
  const secondBytes = segmentsSize(second);
  const xmp = writeSegment(APP1, writePrimaryXmp(secondBytes));
  const added = xmp.length + SEGMENT_HEAD + INDEX_BYTES;
  const primaryBytes = segmentsSize(picture.segments) + added;
  // Offsets count from the header that follows the index's name, of four letters.
  const headerAt = SOI_BYTES + xmp.length + SEGMENT_HEAD + 4;
  const index = writeSegment(APP2, writeIndex(primaryBytes, secondBytes, primaryBytes - headerAt));
  return [...withSegments(picture.segments, xmp, index), ...second];
}

/** Puts segments behind the start of a stream. */
function withSegments(segments: readonly Segment[], ...added: readonly Uint8Array[]): Segment[] {
  const [first, ...others] = segments;
  if (!first || 'bytes' in first) throw new Error('A stream begins with bytes of its file');
  const start = { from: first.from, to: first.from + SOI_BYTES };
  const bytes = added.map((one): Segment => ({ bytes: one }));
  return [start, ...bytes, { from: start.to, to: first.to }, ...others];
}

function writeSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data]);
}
