import type { ByteView } from '../../bytes/byte-view';
import type { Box } from '../../isobmff/boxes';
import { boxesIn } from '../../isobmff/scrub-boxes';
import type { SampleCoding } from '../elementary/sample-scrubber';
import { codecOfLetters, unsupportedCodec } from '../elementary/picture-codecs';
import { nalLengthSize, recordComments, type NalCodec } from '../elementary/sei-comments';
import { scrubMpeg4Headers } from '../elementary/user-data';

/** Bytes of a visual sample entry before its boxes. */
const VISUAL_FIELDS = 78;
/** Bytes of a `DecoderConfigDescriptor` before the codec's own headers. */
const DECODER_FIELDS = 13;
const AVC = /^(?:avc[1-4]|dva[1v])$/;
const HEVC = /^(?:hvc1|hev1|dvh[1e])$/;

/**
 * The coding of the samples of a picture track; null if its codec has no comments.
 * @throws UnsupportedVariantError if its codec isn't accepted.
 */
export function sampleCoding(view: ByteView, entry: Box): SampleCoding | null {
  if (AVC.test(entry.type)) return nalCoding(view, entry, 'avcC', 'h264');
  if (HEVC.test(entry.type)) return nalCoding(view, entry, 'hvcC', 'hevc');
  if (entry.type === 'mp4v') return objectCoding(objectType(view, entry));
  return codecOfLetters(entry.type, true).coding;
}

const OBJECTS: ReadonlyMap<number, string> = new Map([
  [0x6d, 'png'],
  [0x6e, 'mjp2'],
]);

/** The coding by `objectTypeIndication` (ISO/IEC 14496-1). */
function objectCoding(type: number): SampleCoding | null {
  // QuickTime's own has no such number.
  if (type === 0 || type === 0x20) return { codec: 'mpeg4' };
  if ((type >= 0x60 && type <= 0x65) || type === 0x6a) return { codec: 'mpeg' };
  if (type === 0x6c) return { codec: 'jpeg' };
  throw unsupportedCodec(OBJECTS.get(type) ?? `MPEG-4 object ${type}`);
}

function nalCoding(view: ByteView, entry: Box, type: string, codec: NalCodec): SampleCoding | null {
  const box = extension(view, entry, type);
  const lengthSize = box && nalLengthSize(codec, view.bytes.subarray(box.body, box.end));
  return lengthSize ? { codec, lengthSize } : { codec: codec === 'h264' ? 'h264-stream' : 'hevc-stream' };
}

function extension(view: ByteView, entry: Box, type: string): Box | undefined {
  return boxesIn(view, Math.min(entry.body + VISUAL_FIELDS, entry.end), entry.end).find(
    (box) => box.type === type,
  );
}

/** `objectTypeIndication` of an entry's `esds` (ISO/IEC 14496-1, section 7.2.6.6); 0 if there is none. */
export function objectType(view: ByteView, entry: Box): number {
  const esds = extension(view, entry, 'esds');
  return esds ? (decoderConfiguration(view, esds)?.u8(0) ?? 0) : 0;
}

/** The content of the `DecoderConfigDescriptor`, and the bytes after it. */
function decoderConfiguration(view: ByteView, esds: Box): ByteView | null {
  const descriptors = view.slice(Math.min(esds.body + 4, esds.end), esds.end);
  const body = (at: number): number => {
    let next = at + 1;
    while (descriptors.u8(next) & 0x80) next++;
    return next + 1;
  };
  const inStream = body(0) + 3;
  return descriptors.u8(inStream) === 4 ? descriptors.slice(body(inStream)) : null;
}

/** Overwrites comments in an `avcC` or `hvcC`. */
export function scrubRecord(codec: NalCodec): (view: ByteView, box: Box) => void {
  return (view, { body, end }) => {
    const record = view.bytes.subarray(body, end);
    for (const { from, to } of recordComments(codec, record)) record.fill(0xff, from, to);
  };
}

/** Overwrites user data in the MPEG-4 Visual headers of an `esds` (`DecoderSpecificInfo`). */
export function scrubDecoderHeaders(view: ByteView, esds: Box): void {
  const configuration = decoderConfiguration(view, esds);
  if (configuration?.u8(0) !== 0x20 || configuration.length <= DECODER_FIELDS) return;
  if (configuration.u8(DECODER_FIELDS) !== 5) return;
  let size = 0;
  let at = DECODER_FIELDS + 1;
  for (let more = true; more; at++) {
    size = size * 128 + (configuration.u8(at) & 0x7f);
    more = (configuration.u8(at) & 0x80) !== 0;
  }
  scrubMpeg4Headers(configuration.slice(at, Math.min(at + size, configuration.length)).bytes);
}
