import type { ModerationStatus, VariantName, VariantRecord } from '@vitrine/contracts';
import type { MediaChanges } from './media.types';

/** Whoever looks at something: a signed-in account, or null for anybody else. */
export type Viewer = { readonly userId: number; readonly role: 'user' | 'moderator' | 'admin' } | null;

/** Moderators and admins. */
export const isModerator = (viewer: Viewer): boolean =>
  viewer?.role === 'moderator' || viewer?.role === 'admin';

/** Media that came without a token belong to nobody. */
export const ownsMedia = (media: { userId: number | null }, viewer: Viewer): boolean =>
  viewer !== null && media.userId !== null && media.userId === viewer.userId;

/** Everyone sees a media by its slug, but a rejected one: that is left to its owner and the moderators. */
export const canSeeMedia = (
  media: { userId: number | null; moderationStatus: ModerationStatus },
  viewer: Viewer,
): boolean => media.moderationStatus !== 'rejected' || ownsMedia(media, viewer) || isModerator(viewer);

/** The fields of a media item that are its content, or decide which feeds show it. */
interface Changeable {
  readonly title: string | null;
  readonly description: string | null;
  readonly altText: string | null;
  readonly tags: readonly string[];
  readonly unlisted: boolean;
}

/** Whether a change alters the texts or tags of a media item, which moderators of its posts have read. */
export const changesContent = (media: Changeable, { tags, ...changes }: MediaChanges): boolean =>
  (['title', 'description', 'altText'] as const).some(
    (name) => changes[name] !== undefined && changes[name] !== media[name],
  ) ||
  (tags !== undefined && (tags ?? []).join() !== media.tags.join());

/** Whether a change may list or unlist a media item. */
export const changesListing = (media: Changeable, { unlisted }: MediaChanges): boolean =>
  unlisted !== undefined && unlisted !== media.unlisted;

/** Whole seconds until the day's limits begin anew. */
export const secondsToMidnightUtc = (now: Date): number =>
  Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000);

export interface VariantSource {
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly ext: string;
  /** Pictures in an image file. */
  readonly frames: number;
  /** Empty until processed. */
  readonly variants: readonly VariantRecord[];
}

/** Formats that browsers show, and that sized variants therefore keep. */
const KEPT = new Set(['jpeg', 'png', 'webp', 'avif']);

/** JPEG and HEIC never move in their sized variants, whatever number of pictures the file holds. */
const ANIMATED = new Set(['gif', 'png', 'webp', 'avif']);

/**
 * Extension of a variant: the stored one's where it is made, else the one that its format foretells. An image
 * with alpha in a format browsers don't show may turn out as `png`; the file host answers either name.
 */
export function variantExtension(media: VariantSource, name: VariantName): string {
  const made = media.variants.find((variant) => variant.name === name);
  if (made) return made.ext;
  if (media.kind === 'video') return name === 'thumb' ? 'jpg' : 'mp4';
  if (media.frames > 1 && ANIMATED.has(media.format)) return 'webp';
  if (KEPT.has(media.format)) return media.ext;
  return media.format === 'gif' || media.format === 'svg' ? 'png' : 'jpg';
}

/** Types that every browser shows, and that can therefore take the place of a size that isn't made yet. */
const SHOWN_BY_BROWSERS = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'video/mp4',
  'video/webm',
]);

/** Whether the original can be served where a variant was asked for; a still of a video it can't. */
export const originalStandsIn = (media: { kind: string; mime: string }, name: VariantName): boolean =>
  SHOWN_BY_BROWSERS.has(media.mime) && (media.kind === 'image' || name !== 'thumb');
