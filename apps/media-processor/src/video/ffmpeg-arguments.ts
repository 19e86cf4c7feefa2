/** The only containers that a video may be; playlists, concatenations and devices are not among them. */
const VIDEO_DEMUXERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpegts,mpeg,mpegvideo,ogg,asf';

/** Pixels of one video frame. */
export const MAX_VIDEO_PIXELS = 40_000_000;

/**
 * How a stranger's file is opened: no protocol but the local file, no demuxer but those named (the protocol list
 * alone lets a playlist name other local files), no frame beyond the pixel limit.
 */
export function hardenedInput(
  path: string,
  demuxers: string = VIDEO_DEMUXERS,
  maxPixels: number = MAX_VIDEO_PIXELS,
): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxers],
    ...['-max_pixels', String(maxPixels), '-threads', '2', '-i', `file:${path}`],
  ];
}

/** What every ffmpeg run begins with. */
export const FFMPEG_PREAMBLE = ['-nostdin', '-hide_banner', '-v', 'error', '-y'] as const;

/** No metadata, no chapters, no encoder's name in what is written. */
export const ANONYMOUS_OUTPUT = [
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
] as const;
