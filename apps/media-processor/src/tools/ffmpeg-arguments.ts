import { SUBTITLE_DECODERS, VIDEO, type InputKind } from './decoders';

/** Pixels of one video frame. */
export const MAX_VIDEO_PIXELS = 40_000_000;

/** Threads of a decoder. Each holds a separate frame. */
const DECODER_THREADS = 2;

/**
 * Arguments to open an uploaded file: no protocol but the local file, no demuxer and no decoder but those of its kind
 * (the protocol list by itself lets a playlist name other local files), no frame beyond the pixel limit.
 */
export function hardenedInput(
  path: string,
  { demuxers, decoders }: InputKind = VIDEO,
  maxPixels: number = MAX_VIDEO_PIXELS,
  threads: number = DECODER_THREADS,
): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxers, '-codec_whitelist', decoders],
    ...['-max_pixels', String(maxPixels), '-threads', String(threads), '-i', `file:${path}`],
  ];
}

/** `hardenedInput` for ffprobe. */
export const probedInput = (path: string): string[] => [
  ...hardenedInput(path).slice(0, -2),
  ...['-codec_whitelist:s', SUBTITLE_DECODERS, '-i', `file:${path}`],
];

/** `hardenedInput` for a video with frames of this many pixels. */
export function videoInput(path: string, pixels: number): string[] {
  return hardenedInput(path, VIDEO, MAX_VIDEO_PIXELS, threadsFor(pixels));
}

/** More pixels than a 4K frame. A second decoder thread would cost some hundred megabytes (8K AV1: 540 MB). */
const LARGE_FRAME = 4096 * 2304;

export const isLargeFrame = (pixels: number): boolean => pixels > LARGE_FRAME;

/** Number of threads for a decoder of frames with this many pixels. */
export const threadsFor = (pixels: number): number => (isLargeFrame(pixels) ? 1 : DECODER_THREADS);

/** The option by which MP4 shows what its edit list leaves out. */
export const WITHOUT_EDITS = ['-ignore_editlist', '1'] as const;

/** Gives grey pictures chroma: ffmpeg's conversion of grey to RGB ignores a limited range. */
export const WITH_CHROMA =
  'format=yuv420p|yuv422p|yuv444p|yuv420p10|yuv422p10|yuv444p10|yuv420p12|yuv422p12|yuv444p12|gbrp|gbrp10|gbrp12';

/** The first arguments of every ffmpeg run. */
export const FFMPEG_PREAMBLE = ['-nostdin', '-hide_banner', '-v', 'error', '-y'] as const;

/** Writes no metadata, no chapters and no encoder's name into the output. */
export const ANONYMOUS_OUTPUT = [
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
] as const;

/** The position in ffmpeg's progress line, in seconds; null for its other lines. */
export function outTime(line: string): number | null {
  const [, hours, minutes, seconds] = /^out_time=(\d+):(\d+):(\d+\.\d+)/.exec(line) ?? [];
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
