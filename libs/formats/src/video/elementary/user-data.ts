import type { ByteRange } from '../../bytes/byte-ranges';

/** `user_data_start_code` of MPEG-1, MPEG-2 and MPEG-4 Visual. */
export const USER_DATA = 0xb2;
const START = Buffer.of(0, 0, 1);

/** Captions (ATSC A/53, SCTE 20 and DVD), active format (ETSI TS 101 154), stereo (ISO/IEC 13818-2 amendment 4). */
const MPEG_SIGNALS = /^(?:GA94|DTG1|JP3D|CC[^ -~]\xf8|[^ -~][\x80\x81])/;
/** The mark of an encoder whose mistakes decoders correct. */
const MPEG_MARK = /\0TMPGEXS\0/;
/** The encoder, and whether it packs pictures. Decoders choose their arithmetic by it. */
const MPEG4_MARK =
  /^(?:DivX\d{1,5}(?:Build|b)\d{1,6}p?|XviD\d{1,6}C?|Lavc\d{1,3}\.\d{1,3}\.\d{1,3}|FFmpeg?[\d.]{0,8}b\d{1,6}|FFmpeg v\d{1,2}\.\d{1,3}\.\d{1,3} \/ libavcodec build: \d{1,6}|ffmpeg)/;
const LONGEST_MARK = 64;

/**
 * The ranges to overwrite with 0xff in user data (the bytes after the start code), so that only what decoders use
 * stays.
 */
export function* userDataComments(codec: 'mpeg' | 'mpeg4', data: Uint8Array): Generator<ByteRange> {
  const text = Buffer.from(data.subarray(0, LONGEST_MARK)).toString('latin1');
  if (codec === 'mpeg' && MPEG_SIGNALS.test(text)) return;
  const mark = (codec === 'mpeg' ? MPEG_MARK : MPEG4_MARK).exec(text);
  const kept = mark ? { from: mark.index, to: mark.index + mark[0].length } : { from: 0, to: 0 };
  if (kept.from > 0) yield { from: 0, to: kept.from };
  if (kept.to < data.length) yield { from: kept.to, to: data.length };
}

/** Overwrites comments in MPEG-4 Visual headers, in place. */
export function scrubMpeg4Headers(bytes: Uint8Array): void {
  const headers = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = headers.indexOf(START); at >= 0; at = headers.indexOf(START, at + 3)) {
    if (headers[at + 3] !== USER_DATA) continue;
    const next = headers.indexOf(START, at + 4);
    const data = headers.subarray(at + 4, next < 0 ? headers.length : next);
    for (const { from, to } of userDataComments('mpeg4', data)) data.fill(0xff, from, to);
  }
}
