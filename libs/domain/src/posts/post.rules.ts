import type { Listing, ModerationStatus, Ruling, Visibility } from '@vitrine/contracts';
import { isModerator, type Viewer } from '../media/media.rules';
import { opensWith } from './access-key';

/** All that decides who may see a post. */
export interface PostAccess {
  /** Null for a post that nobody owns. */
  readonly userId: number | null;
  readonly visibility: Visibility;
  readonly moderationStatus: ModerationStatus;
  readonly accessKey: string | null;
  /** It holds no media that others may see. */
  readonly empty: boolean;
}

/** How a caller named a post. Ids can be enumerated, so an id gives less access than a slug does. */
export type NamedBy = 'slug' | 'id';

export const ownsPost = (post: Pick<PostAccess, 'userId'>, viewer: Viewer): boolean =>
  viewer !== null && post.userId !== null && post.userId === viewer.userId;

/**
 * Owner and moderators see every post. Others see neither a rejected nor an empty one, a hidden one only by its slug,
 * and a private one only with its access key.
 */
export function canSeePost(post: PostAccess, viewer: Viewer, key: string | null, namedBy: NamedBy): boolean {
  if (ownsPost(post, viewer) || isModerator(viewer)) return true;
  if (post.moderationStatus === 'rejected' || post.empty) return false;
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
  (post.visibility !== 'private' || ownsPost(post, viewer) || opensWith(post.accessKey, key));

/** Rejected media inside a post are left to its owner and the moderators, and don't count for others. */
export const seesRejectedMedia = (post: Pick<PostAccess, 'userId'>, viewer: Viewer): boolean =>
  ownsPost(post, viewer) || isModerator(viewer);

/**
 * The access key of a post after its visibility was set: a fresh one each time it becomes private, the same while it
 * stays private, else none.
 */
export function accessKeyAfter(
  before: Pick<PostAccess, 'visibility' | 'accessKey'> | null,
  visibility: Visibility,
  fresh: () => string,
): string | null {
  if (visibility !== 'private') return null;
  return (before?.visibility === 'private' ? before.accessKey : null) ?? fresh();
}

/** Whether an owner may say `is_nsfw`, true or false: not where a moderator rejected the post. */
export const mayMarkNsfw = (post: Pick<PostStatusFacts, 'moderatorStatus'>): boolean =>
  post.moderatorStatus !== 'rejected';

/** Whether `order` names each of `slugs` once and nothing else; neither may hold doubles. */
export const isPermutation = (order: readonly string[], slugs: readonly string[]): boolean =>
  order.length === slugs.length && slugs.every((slug) => order.includes(slug));

/** Whether a list for these eyes shows a post: with `nsfw`, what is nsfw too. */
export const isListedFor = (listing: Listing, nsfw: boolean): boolean =>
  listing === 'safe' || (nsfw && listing === 'nsfw');

/** All that a post's status follows from. */
export interface PostStatusFacts {
  /** Of every media in the post. */
  readonly mediaStatuses: readonly ModerationStatus[];
  /** The owner said `is_nsfw`. */
  readonly ownerNsfw: boolean;
  /** A moderator's decision on the post itself. */
  readonly moderatorStatus: 'approved' | 'nsfw' | 'rejected' | null;
}

/**
 * A post's status. A moderator's decision outranks all, but for the owner's raising it to `nsfw`. Else rejected
 * media don't count: any pending one keeps the post pending (the owner's `is_nsfw` shows at once), then any nsfw
 * one makes it nsfw. A post whose media are all rejected is rejected; one without any waits as `pending`.
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

/**
 * Which feeds show a post. Whatever its status says at once, it is held back while any of its media waits for a decision,
 * and if it has nothing to show. A post that holds nsfw media is never safe, even if a moderator approved the post.
 */
export function derivePostListing(facts: PostStatusFacts & { readonly visibility: Visibility }): Listing {
  const left = facts.mediaStatuses.filter((status) => status !== 'rejected');
  if (facts.visibility !== 'public' || left.length === 0 || left.includes('pending')) return 'unlisted';
  const listing = LISTING_OF[derivePostStatus(facts)];
  return listing === 'safe' && left.includes('nsfw') ? 'nsfw' : listing;
}

/** Whether a post holds no media that others may see. */
export const isEmptyPost = ({ mediaStatuses }: Pick<PostStatusFacts, 'mediaStatuses'>): boolean =>
  mediaStatuses.every((status) => status === 'rejected');

/** The parts of a post that a moderator's ruling covers, as changes name them. */
const CONTENT: readonly string[] = ['title', 'description', 'tags', 'media'];

/** Whether changes of a post, as `post.updated` names them, change its content. */
export const changeContent = (changed: readonly string[]): boolean =>
  changed.some((name) => CONTENT.includes(name));

/**
 * Judges a ruling that names `revision` on a post at revision `current`: it `covers` the content, is `stale`, or is
 * `unsaid` if it names no revision and must. A ruling that shows a post to others (`approved`, `nsfw`) must name the
 * revision once there has been more than one; before that, the moderator can't have read another one.
 */
export function judgeRevision(
  status: Ruling,
  revision: number | undefined,
  current: number,
): 'covers' | 'stale' | 'unsaid' {
  if (revision !== undefined) return revision === current ? 'covers' : 'stale';
  const opens = status === 'approved' || status === 'nsfw';
  return opens && current > 1 ? 'unsaid' : 'covers';
}
