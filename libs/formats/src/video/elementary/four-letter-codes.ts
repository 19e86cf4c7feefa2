import type { SampleCoding } from './sample-scrubber';

const CODINGS: readonly (readonly [RegExp, SampleCoding])[] = [
  [/^(?:h264|x264|avc1|vssh|davc)$/i, { codec: 'h264-stream' }],
  [/^(?:h265|x265|hevc|hvc1|hev1)$/i, { codec: 'hevc-stream' }],
  [/^(?:mjpg|jpeg|avrn|ljpg|dmb1|mjls|cjpg)$/i, { codec: 'jpeg' }],
  [/^(?:xvid|divx|dx50|fmp4|mp4v|mp4s|3iv2|m4s2|rmp4|div1|smp4|blz0)$/i, { codec: 'mpeg4' }],
  [/^(?:mpeg|mpg[12]|pim[12]|m[12]v1|mp[12]v|[^ -~]\0{2}[^ -~])$/i, { codec: 'mpeg' }],
];

/**
 * The coding of a picture stream by the four letters of Windows' BITMAPINFOHEADER; null if its codec has no comments.
 */
export function codingOf(compression: string): SampleCoding | null {
  return CODINGS.find(([codes]) => codes.test(compression))?.[1] ?? null;
}
