import type { VariantName } from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { type VariantSource, variantExtension } from './media.rules';

/** What a media's direct links are made of. */
export type LinkedMedia = VariantSource & { readonly slug: string };

/** Direct link of a media's original. */
export const originalUrl = (media: { slug: string; ext: string }, urls: PublicUrlsConfig): string =>
  `${urls.cdn}/f/${media.slug}.${media.ext}`;

/** Direct link of one of a media's variants. The thumb of an image is its smallest size. */
export function variantUrl(media: LinkedMedia, name: VariantName, urls: PublicUrlsConfig): string {
  const shown = name === 'thumb' && media.kind === 'image' ? 'xs' : name;
  return `${urls.cdn}/f/${media.slug}_${shown}.${variantExtension(media, shown)}`;
}
