import type { ByteView } from '../../bytes/byte-view';
import type { Box } from '../../isobmff/boxes';
import { boxesIn } from '../../isobmff/scrub-boxes';
import type { SampleCoding } from '../elementary/sample-scrubber';
import { nalLengthSize, recordComments, type NalCodec } from '../elementary/sei-comments';
import { scrubMpeg4Headers } from '../elementary/user-data';

/** Bytes of a visual sample entry before its boxes. */
const VISUAL_FIELDS = 78;
/** Bytes of a `DecoderConfigDescriptor` before the codec's own headers. */
const DECODER_FIELDS = 13;
const AVC = /^(?:avc[1-4]|dva[1v])$/;
const HEVC = /^(?:hvc1|hev1|dvh[1e])$/;
const MOTION_JPEG = /^(?:jpeg|mjpa|MJPG|mjpg|dmb1|AVDJ)$/;
/** MPEG-1 and MPEG-2 by the names of QuickTime, and of recorders of HDV, XDCAM and IMX. */
const MPEG = /^(?:mpeg|mpg[12]|mp[12]v|m[12]v1|hdv[1-9a-d]|mx[345][np]|xdv[1-9a-f]|xd5.|xdh.|AVmp)$/;

/** The coding of the samples of a picture track, if its codec allows comments and its entry can be read. */
export function sampleCoding(view: ByteView, entry: Box): SampleCoding | null {
  if (AVC.test(entry.type)) return nalCoding(view, entry, 'avcC', 'h264');
  if (HEVC.test(entry.type)) return nalCoding(view, entry, 'hvcC', 'hevc');
  if (MOTION_JPEG.test(entry.type)) return { codec: 'jpeg' };
  if (MPEG.test(entry.type)) return { codec: 'mpeg' };
  return entry.type === 'mp4v' ? objectCoding(objectType(view, entry)) : null;
}

/** The coding by `objectTypeIndication` (ISO/IEC 14496-1). */
function objectCoding(type: number): SampleCoding | null {
  if (type === 0x20) return { codec: 'mpeg4' };
  if ((type >= 0x60 && type <= 0x65) || type === 0x6a) return { codec: 'mpeg' };
  return type === 0x6c ? { codec: 'jpeg' } : null;
}

function nalCoding(view: ByteView, entry: Box, type: string, codec: NalCodec): SampleCoding | null {
  const box = extension(view, entry, type);
  const lengthSize = box && nalLengthSize(codec, view.bytes.subarray(box.body, box.end));
  return lengthSize ? { codec, lengthSize } : null;
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
