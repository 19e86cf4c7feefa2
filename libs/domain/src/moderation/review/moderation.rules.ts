import type { ModerationStatus, Ruling } from '@vitrine/contracts';
import type { ClassScores, DecisionReason, DecisionScores, JudgedScores } from '../decisions/decision.types';
import type { PerceptualMatch } from '../bans/banned-hashes.service';
import type { Viewer } from '../../base/access/viewer';

/** A moderator's ruling on a media item or a post. */
export interface ModeratorRuling {
  readonly status: Ruling;
  /** The moderator's note, at most 1,000 characters. */
  readonly note: string;
  /** Whether to ban the files and their pictures too; only with `rejected`. */
  readonly ban: boolean;
  readonly moderator: NonNullable<Viewer> & { readonly username: string };
}

/** A moderator's ruling on a post. */
export interface PostRuling extends ModeratorRuling {
  /** The revision of the content that the moderator has read, if the ruling names one. */
  readonly revision?: number | undefined;
}

/** The basis of an automated decision. */
export interface Evidence {
  /** The best match between the media item's pictures and the bans; null if none matches. */
  readonly ban: PerceptualMatch | null;
  /** The scores of each classified picture; empty if the classifier failed. */
  readonly pictures: readonly ClassScores[];
  /** False if the file contains pictures that weren't compared with the bans. Absent means true. */
  readonly fullySeen?: boolean;
}

export interface Verdict {
  readonly status: ModerationStatus;
  readonly reason: DecisionReason;
  readonly scores: DecisionScores | null;
}

/** Below this unsafe probability a media item is approved (docs/moderation.md). */
export const APPROVED_BELOW = 0.4;
/** From this unsafe probability on a media item is nsfw (docs/moderation.md). */
export const NSFW_FROM = 0.7;
/** The largest number of pictures of one media item that are classified. Still images have one or two. */
export const MAX_PICTURES = 16;

/**
 * The weight of the class "sexy". Without it, a nude that the model splits between two classes would be approved;
 * with full weight, every bathing suit would be nsfw. A high "sexy" (from 0.8) without the other classes leaves a picture
 * to the moderators, and never makes it nsfw.
 */
const SEXY_WEIGHT = 0.5;

/** The probability that a picture isn't safe for all viewers, 0–1. */
export const unsafeProbability = ({ porn, hentai, sexy }: ClassScores): number =>
  Math.min(1, Math.max(0, porn + hentai + SEXY_WEIGHT * sexy));

/** The scores of the worst picture, which decides; null if there are no pictures. */
export function worstPicture(pictures: readonly ClassScores[]): JudgedScores | null {
  return pictures.reduce<JudgedScores | null>((worst, classes, index) => {
    const unsafe = unsafeProbability(classes);
    return worst && worst.unsafe >= unsafe
      ? worst
      : { unsafe, worst_frame: index, frames: pictures.length, classes };
  }, null);
}

/** The verdict on a media item that its owner marked as adult content: automation can't approve it for everyone. */
export const withOwnersMark = (verdict: Verdict): Verdict =>
  verdict.status === 'approved' ? { ...verdict, status: 'nsfw', reason: 'owner' } : verdict;

/**
 * The automated verdict on a media item. Only a banned picture is rejected: the classifier never rejects. If it
 * is unsure, or the evidence doesn't cover the whole file, the media item stays pending for the moderators.
 */
export function judge({ ban, pictures, fullySeen = true }: Evidence): Verdict {
  if (ban) return { status: 'rejected', reason: 'banned_hash', scores: ban };
  const scores = worstPicture(pictures);
  if (!scores || pictures.some((picture) => Number.isNaN(unsafeProbability(picture)))) {
    return { status: 'pending', reason: 'classifier_failed', scores: null };
  }
  if (!fullySeen) return { status: 'pending', reason: 'partly_seen', scores };
  if (scores.unsafe >= NSFW_FROM) return { status: 'nsfw', reason: 'classifier_unsafe', scores };
  if (scores.unsafe < APPROVED_BELOW) return { status: 'approved', reason: 'classifier_safe', scores };
  return { status: 'pending', reason: 'classifier_unsure', scores };
}
