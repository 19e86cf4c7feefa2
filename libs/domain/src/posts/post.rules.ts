import type { ModerationStatus } from '@vitrine/contracts';

/** All that a post's status follows from. */
export interface PostStatusFacts {
  /** Of every media in the post. */
  readonly mediaStatuses: readonly ModerationStatus[];
  /** The owner said `is_nsfw`. */
  readonly ownerNsfw: boolean;
  /** A moderator's decision on the post itself. */
  readonly moderatorStatus: 'approved' | 'nsfw' | 'rejected' | null;
}

/** A post holds at most this many media. */
export const MAX_POST_MEDIA = 50;

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
