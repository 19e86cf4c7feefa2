/** The only containers that a video may be; playlists, concatenations and devices are not among them. */
const VIDEO_DEMUXERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpegts,mpeg,mpegvideo,ogg,asf';

/** Pixels of one video frame. */
export const MAX_VIDEO_PIXELS = 40_000_000;

/** Threads of a decoder. Each holds a frame of its own. */
const DECODER_THREADS = 2;

/**
 * How a stranger's file is opened: no protocol but the local file, no demuxer but those named (the protocol list
 * alone lets a playlist name other local files), no frame beyond the pixel limit.
 */
export function hardenedInput(
  path: string,
  demuxers: string = VIDEO_DEMUXERS,
  maxPixels: number = MAX_VIDEO_PIXELS,
  threads: number = DECODER_THREADS,
): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxers],
    ...['-max_pixels', String(maxPixels), '-threads', String(threads), '-i', `file:${path}`],
  ];
}

/** `hardenedInput` for a video with frames of this many pixels. */
export function videoInput(path: string, pixels: number): string[] {
  return hardenedInput(path, VIDEO_DEMUXERS, MAX_VIDEO_PIXELS, threadsFor(pixels));
}

/** More pixels than a 4K frame: a second decoder thread would cost some hundred megabytes (8K AV1: 540 MB). */
const LARGE_FRAME = 4096 * 2304;

export const isLargeFrame = (pixels: number): boolean => pixels > LARGE_FRAME;

/** Threads that a decoder of frames of so many pixels gets. */
export const threadsFor = (pixels: number): number => (isLargeFrame(pixels) ? 1 : DECODER_THREADS);

/** The option of an MP4 that shows what its edit list leaves out. */
export const WITHOUT_EDITS = ['-ignore_editlist', '1'] as const;

/** What every ffmpeg run begins with. */
export const FFMPEG_PREAMBLE = ['-nostdin', '-hide_banner', '-v', 'error', '-y'] as const;

/** No metadata, no chapters, no encoder's name in what is written. */
export const ANONYMOUS_OUTPUT = [
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
] as const;

/** The position in ffmpeg's progress line, in seconds; null for its other lines. */
export function outTime(line: string): number | null {
  const [, hours, minutes, seconds] = /^out_time=(\d+):(\d+):(\d+\.\d+)/.exec(line) ?? [];
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
