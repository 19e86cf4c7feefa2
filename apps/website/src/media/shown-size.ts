import type { Media } from '@vitrine/client';
import { imageVariantSize, VIDEO_LINES, VIDEO_THUMB_EDGE, type VariantSize } from '@vitrine/contracts';

export interface ShownSize {
  readonly width: number;
  readonly height: number;
}

/** Size in pixels of a picture's variant. */
export const imageSize = (media: Media, size: VariantSize): ShownSize => imageVariantSize(media, size);

/** Size in pixels of a video's rendition. */
export const videoSize = (media: Media, size: VariantSize): ShownSize =>
  scaled(media, VIDEO_LINES[size] / Math.min(media.width, media.height));

/** Size in pixels of a video's still. */
export const stillSize = (media: Media): ShownSize =>
  scaled(media, VIDEO_THUMB_EDGE / Math.max(media.width, media.height));

/** The largest size with the same aspect ratio that fits into a box; undefined sides don't limit it. */
export const fitInto = (media: ShownSize, width = Infinity, height = Infinity): ShownSize =>
  scaled(media, Math.min(width / media.width, height / media.height));

/** Never enlarged. */
function scaled({ width, height }: ShownSize, factor: number): ShownSize {
  const by = Math.min(1, factor);
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) };
}
