/** The picture formats that Vitrine accepts, recognised by their content. */
const IMAGE_FORMAT_NAMES = [
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

/** The video containers that Vitrine accepts, recognised by their content. */
const VIDEO_FORMAT_NAMES = [
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

/** All formats that Vitrine accepts. */
export const FORMAT_NAMES = [...IMAGE_FORMAT_NAMES, ...VIDEO_FORMAT_NAMES] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];
