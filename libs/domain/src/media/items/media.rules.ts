import type { Listing, ModerationStatus, PendingOn, Restriction } from '@vitrine/contracts';
import { type Owned, owns, seesRejected, type Viewer } from '../../base/access/viewer';
import type { ItemDecision } from '../../moderation/decisions/moderation-decision.repository';
import type { MediaEntity } from '../rows/media.entity';
import type { MediaChanges } from './media.types';

/**
 * Everyone may see a media item by its slug, except a rejected one and one of a suspended account (see
 * `seesRejected`).
 */
export const canSeeMedia = (
  media: Owned & { readonly moderationStatus: ModerationStatus },
  ownerRestriction: Restriction | null,
  viewer: Viewer,
): boolean =>
  (media.moderationStatus !== 'rejected' && ownerRestriction !== 'suspended') || seesRejected(media, viewer);

/**
 * Whether a list shows a media item to a viewer. The feed may still list what a restricted account owns, or the media
 * item may have been rejected since the feed was read.
 */
export const isMediaShownInList = (
  media: Owned & { readonly moderationStatus: ModerationStatus },
  ownerRestriction: Restriction | null,
  viewer: Viewer,
): boolean =>
  canSeeMedia(media, ownerRestriction, viewer) && (ownerRestriction === null || owns(media, viewer));

/** What a pending media item waits for; null if it isn't pending. */
export const pendingOn = (
  media: Readonly<Pick<MediaEntity, 'moderationStatus' | 'decidedAt'>>,
): PendingOn | null => {
  if (media.moderationStatus !== 'pending') return null;
  return media.decidedAt === null ? 'machine' : 'person';
};

/** Whether processing or the automatic check of a media item is due. */
export const isInProgress = (
  media: Readonly<Pick<MediaEntity, 'moderationStatus' | 'decidedAt' | 'processed' | 'processingError'>>,
): boolean =>
  media.processingError === null &&
  media.moderationStatus !== 'rejected' &&
  (!media.processed || pendingOn(media) === 'machine');

/**
 * Whether a viewer finds a media item by its id. Ids can be enumerated, so an id shows to others than the owner and
 * moderators only what lists show too.
 */
export const canFindMediaById = (media: Owned & { readonly listing: Listing }, viewer: Viewer): boolean =>
  media.listing !== 'unlisted' || seesRejected(media, viewer);

/** The fields of a media item that are its content, or decide which feeds show it. */
interface Changeable {
  readonly title: string | null;
  readonly description: string | null;
  readonly altText: string | null;
  readonly tags: readonly string[];
  readonly unlisted: boolean;
}

/** Whether a change alters the texts or tags of a media item, which moderators of its posts have read. */
export const changesContent = (media: Changeable, changes: MediaChanges): boolean =>
  (['title', 'description', 'altText'] as const).some(
    (name) => changes[name] !== undefined && changes[name] !== media[name],
  ) || changesTags(media, changes);

/** Whether a change alters the tags of a media item. */
export const changesTags = (media: Pick<Changeable, 'tags'>, { tags }: MediaChanges): boolean =>
  tags !== undefined && (tags ?? []).join() !== media.tags.join();

/** Whether a change may list or unlist a media item. */
export const changesListing = (media: Changeable, { unlisted }: MediaChanges): boolean =>
  unlisted !== undefined && unlisted !== media.unlisted;

/** What decides a media item's status besides its owner: the latest decision by automation or a moderator. */
export type DecisionBeneath = Pick<ItemDecision, 'decidedBy' | 'to' | 'reason'>;

/** Whether the owner may change `is_nsfw`: not if a moderator rejected the media item. */
export const mayMarkMediaNsfw = (latest: DecisionBeneath | null): boolean =>
  latest?.decidedBy !== 'moderator' || latest.to !== 'rejected';

/**
 * Derives the status of a media item from the latest decision by automation or a moderator (null if there is none)
 * and from its owner's mark as adult content. The mark only raises `approved` to `nsfw`: a pending media item stays
 * pending, so that no list shows what hasn't been checked.
 */
export function deriveMediaStatus(latest: DecisionBeneath | null, ownerNsfw: boolean): ModerationStatus {
  // For this reason automation made a media item nsfw that it would have approved without the mark.
  const beneath = latest?.reason === 'owner' ? 'approved' : (latest?.to ?? 'pending');
  return ownerNsfw && beneath === 'approved' ? 'nsfw' : beneath;
}
