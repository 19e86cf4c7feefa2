import { UnreadableFileError, type ImageFormatName, type MediaFacts } from '../media-format';

const TYPES: Record<ImageFormatName, { mime: string; ext: string }> = {
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
};

/** The facts of a picture; `size` as displayed, in pixels. @throws UnreadableFileError on an empty picture. */
export function imageFacts(
  format: ImageFormatName,
  size: { readonly width: number; readonly height: number },
  frames = 1,
): MediaFacts {
  const { width, height } = size;
  if (!(width > 0 && height > 0)) throw new UnreadableFileError('The picture has no size.');
  return { format, kind: 'image', ...TYPES[format], width, height, duration: null, frames };
}
