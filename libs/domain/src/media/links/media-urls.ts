import type { VariantName } from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { variantExtension, type VariantSource } from './variant.rules';

/** What the direct links of a media item depend on. */
export type LinkedMedia = VariantSource & { readonly slug: string };

/** The direct link of a media item's original. */
export const originalUrl = (media: { slug: string; ext: string }, urls: PublicUrlsConfig): string =>
  `${urls.cdn}/f/${media.slug}.${media.ext}`;

/** The direct link of a variant of a media item. The thumb of an image is its smallest size. */
export function variantUrl(media: LinkedMedia, name: VariantName, urls: PublicUrlsConfig): string {
  const shown = name === 'thumb' && media.kind === 'image' ? 'xs' : name;
  return `${urls.cdn}/f/${media.slug}_${shown}.${variantExtension(media, shown)}`;
}
