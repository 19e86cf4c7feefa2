import type { ByteSource } from './byte-source';
import type { Rewrite } from './rewrite';

/** The picture formats that Vitrine takes in, by content. */
export const IMAGE_FORMAT_NAMES = [
  'jpeg',
  'png',
  'gif',
  'webp',
  'avif',
  'heic',
  'jxl',
  'tiff',
  'bmp',
  'svg',
] as const;
export type ImageFormatName = (typeof IMAGE_FORMAT_NAMES)[number];

/** The video containers that Vitrine takes in, by content. */
export const VIDEO_FORMAT_NAMES = [
  'mp4',
  'mov',
  '3gp',
  'matroska',
  'avi',
  'mpegts',
  'mpegps',
  'flv',
  'asf',
  'ogg',
] as const;
export type VideoFormatName = (typeof VIDEO_FORMAT_NAMES)[number];

/** Every format that Vitrine takes in, by content. */
export const FORMAT_NAMES = [...IMAGE_FORMAT_NAMES, ...VIDEO_FORMAT_NAMES] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** What the parsers read off a file without decoding a pixel. */
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
  /** Pictures in an image file; 1 for stills and for videos. */
  readonly frames: number;
}

export interface Inspection {
  readonly facts: MediaFacts;
  /** The same picture without a word about place, person or device. */
  readonly rewrite: Rewrite;
}

/** One format's reader: throws `UnreadableFileError` where the header makes no sense. */
export type Inspector = (source: ByteSource) => Promise<Inspection>;

/** The content is none of the accepted types. */
export class UnsupportedFormatError extends Error {
  override readonly name = 'UnsupportedFormatError';
}

/** The content claims an accepted type, but it can't be read as one. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}
