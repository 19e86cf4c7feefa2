import { UnreadableFileError } from '../errors/file-errors';
import type { Size } from './displayed-size';
import type { FormatName, ImageFormatName, VideoFormatName } from './format-names';

/** What the parsers read from a file without decoding a pixel. */
export interface MediaFacts {
  readonly format: FormatName;
  readonly kind: 'image' | 'video';
  /** Canonical MIME type of the content, e.g. `image/jpeg`, `video/x-matroska`. */
  readonly mime: string;
  /** Canonical extension without the dot, e.g. `jpg`, `mkv`. */
  readonly ext: string;
  /** Pixels as displayed: orientation, rotation and pixel aspect applied. */
  readonly width: number;
  /** Pixels as displayed. */
  readonly height: number;
  /** Seconds; null for stills and animations. */
  readonly duration: number | null;
  /** Number of pictures in an image file; 1 for stills and for videos. */
  readonly frames: number;
}

type ContentType = Pick<MediaFacts, 'mime' | 'ext'>;

const CONTENT_TYPES: Readonly<Record<FormatName, ContentType>> = {
  jpeg: { mime: 'image/jpeg', ext: 'jpg' },
  png: { mime: 'image/png', ext: 'png' },
  gif: { mime: 'image/gif', ext: 'gif' },
  webp: { mime: 'image/webp', ext: 'webp' },
  avif: { mime: 'image/avif', ext: 'avif' },
  heic: { mime: 'image/heic', ext: 'heic' },
  jxl: { mime: 'image/jxl', ext: 'jxl' },
  tiff: { mime: 'image/tiff', ext: 'tiff' },
  bmp: { mime: 'image/bmp', ext: 'bmp' },
  svg: { mime: 'image/svg+xml', ext: 'svg' },
  mp4: { mime: 'video/mp4', ext: 'mp4' },
  mov: { mime: 'video/quicktime', ext: 'mov' },
  '3gp': { mime: 'video/3gpp', ext: '3gp' },
  matroska: { mime: 'video/x-matroska', ext: 'mkv' },
  avi: { mime: 'video/x-msvideo', ext: 'avi' },
  mpegts: { mime: 'video/mp2t', ext: 'ts' },
  mpegps: { mime: 'video/mpeg', ext: 'mpg' },
  flv: { mime: 'video/x-flv', ext: 'flv' },
  asf: { mime: 'video/x-ms-wmv', ext: 'wmv' },
  ogg: { mime: 'video/ogg', ext: 'ogv' },
};
/** WebM is Matroska with fewer codecs, and has its own type. */
const WEBM: ContentType = { mime: 'video/webm', ext: 'webm' };

/** Seconds. */
const YEAR = 366 * 86_400;

/** The facts of a picture; `size` as displayed, in pixels. @throws UnreadableFileError for an empty picture. */
export function imageFacts(format: ImageFormatName, size: Size, frames = 1): MediaFacts {
  const { width, height } = size;
  if (!(width > 0 && height > 0)) throw new UnreadableFileError('The picture has no size.');
  return { format, kind: 'image', ...CONTENT_TYPES[format], width, height, duration: null, frames };
}

/**
 * The facts of a video; `size` as displayed, in pixels, `duration` in seconds.
 * @throws UnreadableFileError for a duration that is negative or longer than a year.
 */
export function videoFacts(
  format: VideoFormatName,
  { width, height }: Size,
  duration: number,
  isWebm = false,
): MediaFacts {
  if (!(duration >= 0 && duration < YEAR))
    throw new UnreadableFileError('The video has no plausible duration.');
  return {
    format,
    kind: 'video',
    ...(isWebm ? WEBM : CONTENT_TYPES[format]),
    width,
    height,
    duration: Math.round(duration * 1000) / 1000,
    frames: 1,
  };
}
