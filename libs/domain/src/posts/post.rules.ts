import type { Listing, ModerationStatus, Visibility } from '@vitrine/contracts';

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
 * Which feeds show a post. Whatever its status says at once, it is held back while any of its media waits for a
 * decision, and where there is nothing in it to show.
 */
export function derivePostListing(facts: PostStatusFacts & { readonly visibility: Visibility }): Listing {
  const left = facts.mediaStatuses.filter((status) => status !== 'rejected');
  if (facts.visibility !== 'public' || left.length === 0 || left.includes('pending')) return 'unlisted';
  return LISTING_OF[derivePostStatus(facts)];
}
