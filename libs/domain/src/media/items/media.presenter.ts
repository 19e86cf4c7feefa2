import {
  ANIMATION_NAMES,
  type AnimationName,
  type Restriction,
  VARIANT_NAMES,
  type VariantName,
} from '@vitrine/contracts';
import type { MediaResource, MediaUrlsResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { MediaEntity } from '../rows/media.entity';
import { presentAuthor, type Author } from '../../accounts/authors/author.presenter';
import { pendingOn } from './media.rules';
import { type LinkedMedia, originalUrl, variantUrl } from '../links/media-urls';
import { isAnimation } from '../links/variant.rules';

/** The columns of a media item that are shown. */
export type ShownMedia = Readonly<
  Pick<
    MediaEntity,
    | 'id'
    | 'slug'
    | 'userId'
    | 'title'
    | 'description'
    | 'altText'
    | 'kind'
    | 'format'
    | 'mime'
    | 'ext'
    | 'bytes'
    | 'width'
    | 'height'
    | 'duration'
    | 'frames'
    | 'moderationStatus'
    | 'decidedAt'
    | 'processed'
    | 'processingError'
    | 'thumbhash'
    | 'tags'
    | 'unlisted'
    | 'ownerNsfw'
    | 'listing'
    | 'variants'
    | 'createdAt'
  >
>;

/** A media item with what its resource needs in addition to the row. */
export interface MediaView {
  readonly media: ShownMedia;
  /** Null for media of guests and deleted accounts. */
  readonly owner: Author | null;
  /** The restriction of the owner that is in force; null if there is none. */
  readonly ownerRestriction: Restriction | null;
}

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
    thumbhash: media.thumbhash,
    tags: media.tags,
    page_url: `${urls.site}/m/${media.slug}`,
    created_at: media.createdAt.toISOString(),
    urls: presentUrls(media, urls),
    user: presentAuthor(owner, urls),
    ...(own && { unlisted: media.unlisted, listed: media.listing !== 'unlisted', is_nsfw: media.ownerNsfw }),
  };
}

/** The direct links that only animations have, as far as their files exist. */
function presentAnimation(
  media: LinkedMedia,
  urls: PublicUrlsConfig,
): Pick<MediaUrlsResource, AnimationName> {
  const made = ANIMATION_NAMES.flatMap((name) => media.variants.filter((variant) => variant.name === name));
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
    ...presentAnimation(media, urls),
  };
}
