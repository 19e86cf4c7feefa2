import type { ByteRange } from '../../bytes/byte-ranges';
import { isSoftwareText } from '../../metadata/software-name';

const PREFIX = 0xff;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;

/**
 * Segments that decoders use, by marker: colours, fields of interlaced pictures, and workarounds for faulty writers.
 */
const KEPT: Readonly<Record<number, RegExp>> = {
  0xe0: /^(?:JFIF\0|AVI1|AVID)/,
  0xe1: /^[^]{4}mjpg/,
  0xe2: /^ICC_PROFILE\0/,
  0xe3: /^_JPSJPS_/,
  0xe8: /^mrfx/,
  0xee: /^Adobe/,
  [COMMENT]:
    /^(?:AVID|CS=ITU601|Intel\(R\) JPEG Library, version 1|Metasoft MJPEG Codec|MULTISCOPE II)[\0 \d.[\]]{0,24}$/,
};
const LONGEST_SIGNATURE = 96;

/**
 * The ranges to zero in a frame of Motion JPEG, of one or two fields: Exif, XMP, other application data, and comments
 * that name no program.
 */
export function* jpegComments(frame: Buffer): Generator<ByteRange> {
  let at = 0;
  while (at + 4 <= frame.length) {
    if (frame[at] !== PREFIX) {
      at = frame.indexOf(PREFIX, at);
      if (at < 0) return;
      continue;
    }
    const marker = frame[at + 1] ?? 0;
    if (!hasLength(marker)) {
      at += marker === PREFIX ? 1 : 2;
      continue;
    }
    const end = Math.min(at + 2 + Math.max(2, frame.readUInt16BE(at + 2)), frame.length);
    const mayHoldText = (marker & 0xf0) === 0xe0 || marker === COMMENT;
    if (mayHoldText && end > at + 4 && !isKept(marker, frame.subarray(at + 4, end))) {
      yield { from: at + 4, to: end };
    }
    at = end;
  }
}

/**
 * Whether a length follows the marker: not for stuffing, restarts, start and end of the picture, and bytes that are
 * no marker.
 */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker !== PREFIX && (marker < 0xd0 || marker > END) && marker !== SCAN;
}

function isKept(marker: number, content: Buffer): boolean {
  if (marker === COMMENT && isSoftwareText(content)) return true;
  return KEPT[marker]?.test(content.toString('latin1', 0, LONGEST_SIGNATURE)) ?? false;
}
