import { EXTRA_NAMES, type ExtraName, VARIANT_NAMES, type VariantName } from '@vitrine/contracts';
import type { MediaResource, MediaUrlsResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { presentAuthor } from './author.presenter';
import {
  pendingOn,
  type LinkedMedia,
  originalUrl,
  variantUrl,
  isAnimation,
  type MediaView,
} from '@vitrine/domain';

/** The URL of a media item in the API. */
export const mediaLocation = (media: { slug: string }, urls: PublicUrlsConfig): string =>
  `${urls.api}/media/${media.slug}`;

/** The resource of a media item. `own` says whether the viewer owns it. */
export function presentMedia(
  { media, owner }: Pick<MediaView, 'media' | 'owner'>,
  urls: PublicUrlsConfig,
  own: boolean,
): MediaResource {
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
    animated: isAnimation(media),
    moderation_status: media.moderationStatus,
    pending_on: pendingOn(media),
    processed: media.processed,
    processing_error: media.processingError,
    processing_progress: media.processed ? null : media.processingProgress,
    thumbhash: media.thumbhash,
    tags: media.tags,
    page_url: `${urls.site}/m/${media.slug}`,
    created_at: media.createdAt.toISOString(),
    urls: presentUrls(media, urls),
    user: presentAuthor(owner, urls),
    ...(own && { unlisted: media.unlisted, listed: media.listing !== 'unlisted', is_nsfw: media.ownerNsfw }),
  };
}

/** The direct links that only some media have, as far as their files exist. */
function presentExtras(media: LinkedMedia, urls: PublicUrlsConfig): Pick<MediaUrlsResource, ExtraName> {
  const made = EXTRA_NAMES.flatMap((name) => media.variants.filter((variant) => variant.name === name));
  return Object.fromEntries(
    made.map(({ name, ext }) => [name, `${urls.cdn}/f/${media.slug}_${name}.${ext}`]),
  );
}

function presentUrls(media: LinkedMedia, urls: PublicUrlsConfig): MediaUrlsResource {
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
    ...presentExtras(media, urls),
  };
}
