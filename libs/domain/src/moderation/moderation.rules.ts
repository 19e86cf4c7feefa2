import type { ModerationStatus } from '@vitrine/contracts';
import type { PerceptualMatch } from './banned-hashes.service';

/** What the classifier makes of one picture: probabilities of nsfwjs's five classes, which add up to 1. */
export interface ClassScores {
  /** Harmless drawings. */
  readonly drawing: number;
  /** Pornographic drawings. */
  readonly hentai: number;
  readonly neutral: number;
  readonly porn: number;
  /** Suggestive, not pornographic. */
  readonly sexy: number;
}

/** Why a decision fell as it did. */
export type DecisionReason =
  | 'classifier_safe'
  | 'classifier_unsafe'
  | 'classifier_unsure'
  | 'classifier_failed'
  /** The file holds more pictures than could be compared with the banned ones. */
  | 'partly_seen'
  | 'banned_hash'
  | 'processing_failed'
  | 'processing_again'
  | 'moderator'
  /** The post's owner said `is_nsfw`, or took it back. */
  | 'owner'
  /** A change of a post's content ended the ruling on the content before it. */
  | 'content_changed';

/** What the log of decisions keeps of the pictures that were judged. */
export interface JudgedScores {
  /** Unsafe probability of the worst picture. */
  readonly unsafe: number;
  /** Which picture that is, from 0. */
  readonly worst_frame: number;
  /** How many were looked at. */
  readonly frames: number;
  /** The worst picture's classes. */
  readonly classes: ClassScores;
}

/** What automation has to go by. */
export interface Evidence {
  /** A picture of the media that is banned. */
  readonly ban: PerceptualMatch | null;
  /** One entry for each picture looked at; none where the classifier couldn't do its work. */
  readonly pictures: readonly ClassScores[];
  /** False where the file holds pictures that this evidence doesn't cover. Absent means true. */
  readonly fullySeen?: boolean;
}

export interface Verdict {
  readonly status: ModerationStatus;
  readonly reason: DecisionReason;
  readonly scores: JudgedScores | PerceptualMatch | null;
}

/** Below this unsafe probability a media is approved (decisions, "Moderation"). */
export const APPROVED_BELOW = 0.4;
/** From this unsafe probability on a media is nsfw (the same place). */
export const NSFW_FROM = 0.7;
/** Stills have one or two pictures; of videos, animations and files of several pages at most this many are judged. */
export const MAX_PICTURES = 16;

/**
 * Suggestive pictures count half. With no weight, a nude that the model splits between its two classes would be
 * approved unseen; with full weight, every bathing suit would be nsfw. So "sexy" alone can send a picture to the
 * moderators (from 0.8) and never makes it nsfw.
 */
const SEXY_WEIGHT = 0.5;

/** How likely a picture isn't fit for everybody, 0–1. */
export const unsafeProbability = ({ porn, hentai, sexy }: ClassScores): number =>
  Math.min(1, Math.max(0, porn + hentai + SEXY_WEIGHT * sexy));

/** The picture that counts is the worst; null where there is none. */
export function worstPicture(pictures: readonly ClassScores[]): JudgedScores | null {
  return pictures.reduce<JudgedScores | null>((worst, classes, index) => {
    const unsafe = unsafeProbability(classes);
    return worst && worst.unsafe >= unsafe
      ? worst
      : { unsafe, worst_frame: index, frames: pictures.length, classes };
  }, null);
}

/**
 * What automation says of a media. Only a banned picture is rejected: the model alone never rejects, and where it is
 * unsure, or could not see all of the file, the media item stays pending for the moderators.
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
