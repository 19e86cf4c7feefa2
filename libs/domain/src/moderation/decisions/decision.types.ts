import type { PerceptualMatch } from '../bans/banned-hashes.service';

/** The classifier's result for one picture: the probabilities of nsfwjs's five classes, which add up to 1. */
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

/** The reason of a decision. */
export type DecisionReason =
  | 'classifier_safe'
  | 'classifier_unsafe'
  | 'classifier_unsure'
  | 'classifier_failed'
  /** The file contains more pictures than could be compared with the banned ones. */
  | 'partly_seen'
  | 'banned_hash'
  | 'processing_failed'
  | 'processing_again'
  | 'moderator'
  /** Staff decided on an application for an account. */
  | 'application'
  /** The operator's command. */
  | 'operator'
  /** The owner of the post or the media item set `is_nsfw`. */
  | 'owner'
  /** A change of a post's content ended the ruling on the content before it. */
  | 'content_changed';

/** What the log of decisions contains about the classified pictures. */
export interface JudgedScores {
  /** The unsafe probability of the worst picture. */
  readonly unsafe: number;
  /** The index of that picture, from 0. */
  readonly worst_frame: number;
  /** The number of classified pictures. */
  readonly frames: number;
  /** The class probabilities of the worst picture. */
  readonly classes: ClassScores;
}

/** What an automated decision was based on: the classifier's scores, or the banned picture that matched. */
export type DecisionScores = JudgedScores | PerceptualMatch;
