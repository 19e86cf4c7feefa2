import { UnreadableFileError, type FormatName, type MediaFacts } from '../media-format';
import type { Size } from './displayed-size';

const KINDS = {
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
} as const satisfies Partial<Record<FormatName, { mime: string; ext: string }>>;

export type VideoFormat = keyof typeof KINDS;

const WEBM = { mime: 'video/webm', ext: 'webm' };
const YEAR = 366 * 86_400;

/** The facts of a video of `size` as displayed and `duration` seconds. */
export function videoFacts(
  format: VideoFormat,
  { width, height }: Size,
  duration: number,
  isWebm = false,
): MediaFacts {
  if (!(duration >= 0 && duration < YEAR))
    throw new UnreadableFileError('The video has no sensible duration.');
  return {
    format,
    kind: 'video',
    ...(isWebm ? WEBM : KINDS[format]),
    width,
    height,
    duration: Math.round(duration * 1000) / 1000,
    frames: 1,
  };
}
