import {
  type MediaResource,
  type MediaUrlsResource,
  VARIANT_NAMES,
  type VariantName,
} from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { MediaEntity } from './media.entity';
import { type VariantSource, variantExtension } from './media.rules';

/** A media's uploader, as a read model. */
export interface MediaOwner {
  readonly username: string;
  readonly avatar: (VariantSource & { readonly slug: string }) | null;
}

/** A media with what its public resource needs besides its own row. */
export interface MediaView {
  readonly media: MediaEntity;
  /** Null for guests' media. */
  readonly owner: MediaOwner | null;
}

type Named = VariantSource & { readonly slug: string };

/** Direct link of a media's original. */
export const originalUrl = (media: { slug: string; ext: string }, urls: PublicUrlsConfig): string =>
  `${urls.cdn}/f/${media.slug}.${media.ext}`;

/** Direct link of one of a media's variants. The thumb of an image is its smallest size. */
export function variantUrl(media: Named, name: VariantName, urls: PublicUrlsConfig): string {
  const shown = name === 'thumb' && media.kind === 'image' ? 'xs' : name;
  return `${urls.cdn}/f/${media.slug}_${shown}.${variantExtension(media, shown)}`;
}

/** Address of a media in the API. */
export const mediaLocation = (media: { slug: string }, urls: PublicUrlsConfig): string =>
  `${urls.api}/media/${media.slug}`;

/** The public resource of a media. */
export function presentMedia({ media, owner }: MediaView, urls: PublicUrlsConfig): MediaResource {
  return {
    id: media.id,
    slug: media.slug,
    filename: media.slug,
    title: media.title,
    description: media.description,
    alt_text: media.altText,
    type: media.mime,
    ext: media.ext,
    size: media.bytes,
    width: media.width,
    height: media.height,
    duration: media.duration,
    moderation_status: media.moderationStatus,
    processed: media.processed,
    processing_error: media.processingError,
    thumbhash: media.thumbhash,
    tags: media.tags,
    page_url: `${urls.site}/m/${media.slug}`,
    created_at: media.createdAt.toISOString(),
    urls: presentUrls(media, urls),
    user: owner && {
      username: owner.username,
      avatar: owner.avatar && variantUrl(owner.avatar, 'thumb', urls),
    },
  };
}

function presentUrls(media: Named & { ext: string }, urls: PublicUrlsConfig): MediaUrlsResource {
  const variants = Object.fromEntries(
    VARIANT_NAMES.map((name) => [name, variantUrl(media, name, urls)]),
  ) as Record<VariantName, string>;
  return {
    original: originalUrl(media, urls),
    thumb: variants.thumb,
    xs: variants.xs,
    sm: variants.sm,
    md: variants.md,
    lg: variants.lg,
    xl: variants.xl,
  };
}
