import type { Listing, ModerationStatus, Restriction, Ruling, Visibility } from '@vitrine/contracts';
import { owns, type Owned, seesRejected, type Viewer } from '../../base/access/viewer';
import { opensWith } from './access-key';

/** What decides who may see a post. */
export interface PostAccess extends Owned {
  readonly visibility: Visibility;
  readonly moderationStatus: ModerationStatus;
  readonly accessKey: string | null;
  /** Whether it contains no media that others may see. */
  readonly empty: boolean;
  /** The restriction of the owner that is in force; null if there is none. */
  readonly ownerRestriction: Restriction | null;
}

/** How a caller named a post. Ids can be enumerated, so an id gives less access than a slug does. */
export type NamedBy = 'slug' | 'id';

/**
 * Whether a viewer may see a post. The owner and moderators may see every post. Others don't see rejected and empty
 * posts nor those of suspended accounts, hidden posts only by slug, and private posts only with the access key.
 */
export function canSeePost(post: PostAccess, viewer: Viewer, key: string | null, namedBy: NamedBy): boolean {
  if (seesRejected(post, viewer)) return true;
  if (post.moderationStatus === 'rejected' || post.empty || post.ownerRestriction === 'suspended')
    return false;
  if (post.visibility === 'hidden') return namedBy === 'slug';
  return post.visibility !== 'private' || opensWith(post.accessKey, key);
}

/** Everyone who sees a post may comment and vote. A private post needs its key or ownership, from moderators too. */
export const canTakePart = (
  post: PostAccess,
  viewer: Viewer,
  key: string | null,
  namedBy: NamedBy,
): boolean =>
  canSeePost(post, viewer, key, namedBy) &&
  (post.visibility !== 'private' || owns(post, viewer) || opensWith(post.accessKey, key));

/**
 * The access key of a post after its visibility was set: a new one each time it becomes private, the same one while
 * it stays private, otherwise null.
 */
export function accessKeyAfter(
  before: Pick<PostAccess, 'visibility' | 'accessKey'> | null,
  visibility: Visibility,
  fresh: () => string,
): string | null {
  if (visibility !== 'private') return null;
  return (before?.visibility === 'private' ? before.accessKey : null) ?? fresh();
}

/** Whether the owner may change `is_nsfw`: not if a moderator rejected the post. */
export const mayMarkNsfw = (post: Pick<PostStatusFacts, 'moderatorStatus'>): boolean =>
  post.moderatorStatus !== 'rejected';

/** Whether `order` contains exactly the elements of `slugs`; neither may contain duplicates. */
export const isPermutation = (order: readonly string[], slugs: readonly string[]): boolean =>
  order.length === slugs.length && slugs.every((slug) => order.includes(slug));

/** Whether a list shows posts with this listing. Lists show nsfw posts only with `nsfw`. */
export const isListedFor = (listing: Listing, nsfw: boolean): boolean =>
  listing === 'safe' || (nsfw && listing === 'nsfw');

/**
 * Whether a list shows a post to others than its owner. The feed may still list what a restricted account owns, or the
 * post may have been hidden or rejected since the feed was read.
 */
export const isPostShownInList = (
  { listing, ownerRestriction }: Pick<PostAccess, 'ownerRestriction'> & { readonly listing: Listing },
  nsfw: boolean,
): boolean => ownerRestriction === null && isListedFor(listing, nsfw);

/** What a post's status is derived from. */
export interface PostStatusFacts {
  /** The statuses of all media in the post. */
  readonly mediaStatuses: readonly ModerationStatus[];
  /** Whether the owner set `is_nsfw`. */
  readonly ownerNsfw: boolean;
  /** A moderator's decision on the post itself. */
  readonly moderatorStatus: 'approved' | 'nsfw' | 'rejected' | null;
}

/**
 * Derives a post's status. A moderator's decision decides, except that the owner may raise it to `nsfw`. Otherwise
 * rejected media don't count: the post is pending while any media item is (unless the owner set `is_nsfw`), and nsfw
 * if any is nsfw. A post is rejected if all its media are, and pending if it has none.
 */
export function derivePostStatus({
  mediaStatuses,
  ownerNsfw,
  moderatorStatus,
}: PostStatusFacts): ModerationStatus {
  if (moderatorStatus === 'rejected') return 'rejected';
  if (moderatorStatus !== null) return ownerNsfw ? 'nsfw' : moderatorStatus;
  const left = mediaStatuses.filter((status) => status !== 'rejected');
  if (left.length === 0 && mediaStatuses.length > 0) return 'rejected';
  if (ownerNsfw) return 'nsfw';
  if (left.length === 0 || left.includes('pending')) return 'pending';
  return left.includes('nsfw') ? 'nsfw' : 'approved';
}

const LISTING_OF: Readonly<Record<ModerationStatus, Listing>> = {
  approved: 'safe',
  nsfw: 'nsfw',
  pending: 'unlisted',
  rejected: 'unlisted',
};

/** What a post's listing is derived from. */
export interface PostListingFacts extends PostStatusFacts {
  readonly visibility: Visibility;
  /** Whether the owner is restricted, so that no feed lists what it owns. */
  readonly withheld: boolean;
}

/**
 * Derives which feeds show a post: none while any of its media waits for a decision, if it has no visible media, or if
 * its owner is restricted. A post with nsfw media is never listed as safe, even if a moderator approved the post.
 */
export function derivePostListing(facts: PostListingFacts): Listing {
  const left = facts.mediaStatuses.filter((status) => status !== 'rejected');
  if (facts.withheld || facts.visibility !== 'public' || left.length === 0 || left.includes('pending'))
    return 'unlisted';
  const listing = LISTING_OF[derivePostStatus(facts)];
  return listing === 'safe' && left.includes('nsfw') ? 'nsfw' : listing;
}

/** Whether a post contains no media that others may see. */
export const isEmptyPost = ({ mediaStatuses }: Pick<PostStatusFacts, 'mediaStatuses'>): boolean =>
  mediaStatuses.every((status) => status === 'rejected');

/** The parts of a post that a moderator's ruling covers, as changes name them. */
const CONTENT: readonly string[] = ['title', 'description', 'tags', 'media'];

/** Whether changes of a post, as `post.updated` names them, change its content. */
export const isContentChange = (changed: readonly string[]): boolean =>
  changed.some((name) => CONTENT.includes(name));

/**
 * Compares the `revision` that a ruling names with the post's `current` one: the ruling `covers` the content, is
 * `stale`, or the revision is `missing`. A ruling that shows a post to others (`approved`, `nsfw`) must name the
 * revision if there has been more than one.
 */
export function judgeRevision(
  status: Ruling,
  revision: number | undefined,
  current: number,
): 'covers' | 'stale' | 'missing' {
  if (revision !== undefined) return revision === current ? 'covers' : 'stale';
  const opens = status === 'approved' || status === 'nsfw';
  return opens && current > 1 ? 'missing' : 'covers';
}
