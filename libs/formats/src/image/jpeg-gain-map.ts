import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { writeAppleHdrExif } from '../metadata/apple-hdr-note';
import type { Segment } from '../rewriting/rewrite';
import { segmentsSize } from '../rewriting/rewrite-builder';
import { type AppleGainMap, appleEffect, readAppleGainMap, writeAppleXmp } from './apple-gain-map';
import {
  type GainMapEffect,
  type GainMapFields,
  INDEX_BYTES,
  type Place,
  readGainMapFields,
  readPlaces,
  writeGainMapXmp,
  writeIndex,
  writePrimaryXmp,
  XMP_NAME,
} from './gain-map';
import { ISO_NAME, ISO_VERSION, readIsoFields, writeIsoFields } from './iso-gain-map';
import { EXIF_NAME, type JpegStream, readJpegStream } from './jpeg-stream';

const SOI_BYTES = 2;
const SEGMENT_HEAD = 4;
const [APP1, APP2] = [0xe1, 0xe2];

/** A gain map that follows a JPEG picture: one of Ultra HDR or ISO 21496-1, which have fields, or one of Apple. */
export interface GainMap extends Place {
  readonly values: { readonly fields: GainMapFields } | { readonly apple: AppleGainMap };
  readonly stream: JpegStream;
}

/**
 * Finds the gain map of a picture: the first picture in its index that is a whole JPEG of no more pixels, and which
 * has the numbers of a gain map. Each byte after the picture is read once at most.
 */
export async function findGainMap(source: ByteSource, picture: JpegStream): Promise<GainMap | null> {
  if (!picture.index || picture.width === 0) return null;
  const { data, at } = picture.index;
  for (const place of readPlaces(source, data, at, picture.end)) {
    const stream = await readWithin(source, place);
    const values = stream && readValues(stream, picture.exif ?? null);
    if (!stream || !values || stream.width === 0) continue;
    if (stream.width * stream.height > picture.width * picture.height) continue;
    return { ...place, values, stream };
  }
  return null;
}

/** The numbers of a map. Programs that know ISO 21496-1 prefer its numbers to those in XMP. */
function readValues({ xmp, iso }: JpegStream, exif: Uint8Array | null): GainMap['values'] | null {
  const fields = (iso && readIsoFields(iso)) ?? (xmp === undefined ? null : readGainMapFields(xmp));
  if (fields) return { fields };
  const apple = xmp === undefined ? null : readAppleGainMap(xmp, exif);
  return apple && { apple };
}

/** How a screen with HDR shows the picture of a gain map. */
export const effectOf = ({ values }: GainMap): GainMapEffect =>
  'apple' in values ? appleEffect(values.apple) : { kind: 'logarithmic', fields: values.fields };

/** The JPEG at a place, without what follows it there; null if it isn't a whole JPEG. */
async function readWithin(source: ByteSource, { from, to }: Place): Promise<JpegStream | null> {
  const bounded: ByteSource = { size: to, read: (at, length) => source.read(at, length) };
  try {
    return await readJpegStream(bounded, from);
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof UnsupportedVariantError) return null;
    throw error;
  }
}

/**
 * A picture and its gain map as one file: each with only the parts that are needed to show it, and an index, XMP and (for
 * Apple’s maps) Exif that are new and hold nothing but the numbers of the map.
 */
export function joinGainMap(picture: JpegStream, { stream, values }: GainMap): Segment[] {
  const second = withSegments(
    stream.segments,
    ...('apple' in values
      ? [writeSegment(APP1, withName(XMP_NAME, writeAppleXmp(values.apple)))]
      : [
          writeSegment(APP1, writeGainMapXmp(values.fields)),
          writeSegment(APP2, withName(ISO_NAME, writeIsoFields(values.fields))),
        ]),
  );
  const secondBytes = segmentsSize(second);
  const { segments, metadata } =
    'apple' in values
      ? withAppleExif(picture, values.apple)
      : { segments: picture.segments, metadata: metadataOf(secondBytes) };
  const primaryBytes = segmentsSize(segments) + metadata.length + SEGMENT_HEAD + INDEX_BYTES;
  // Offsets count from the header that follows the index's name, of four letters.
  const headerAt = SOI_BYTES + metadata.length + SEGMENT_HEAD + 4;
  const index = writeSegment(APP2, writeIndex(primaryBytes, secondBytes, primaryBytes - headerAt));
  return [...withSegments(segments, metadata, index), ...second];
}

/** The segments by which programs recognise a picture that a map of `mapBytes` follows. */
const metadataOf = (mapBytes: number): Uint8Array =>
  concatBytes([
    writeSegment(APP1, writePrimaryXmp(mapBytes)),
    writeSegment(APP2, withName(ISO_NAME, ISO_VERSION)),
  ]);

/** The picture without its Exif, and a new one with its orientation and the numbers of Apple’s maker note, if it has any. */
function withAppleExif(
  { segments, orientation }: JpegStream,
  { note }: AppleGainMap,
): { segments: readonly Segment[]; metadata: Uint8Array } {
  if (!note) return { segments, metadata: new Uint8Array(0) };
  const isExif = (part: Segment): boolean => 'bytes' in part && part.bytes[1] === APP1;
  return {
    segments: segments.filter((part) => !isExif(part)),
    metadata: writeSegment(APP1, withName(EXIF_NAME, writeAppleHdrExif(orientation, note))),
  };
}

const withName = (name: string, data: Uint8Array): Uint8Array => concatBytes([asciiBytes(name), data]);

/** Puts segments behind the start of a stream. */
function withSegments(segments: readonly Segment[], ...added: readonly Uint8Array[]): Segment[] {
  const [first, ...others] = segments;
  if (!first || 'bytes' in first) throw new Error('A stream begins with bytes of its file');
  const start = { from: first.from, to: first.from + SOI_BYTES };
  const bytes = added.filter(({ length }) => length > 0).map((one): Segment => ({ bytes: one }));
  return [start, ...bytes, { from: start.to, to: first.to }, ...others];
}

function writeSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data]);
}
