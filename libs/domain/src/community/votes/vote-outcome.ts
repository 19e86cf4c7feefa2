import type { CastVote } from './vote.rules';

/** The change of a vote, and the new score. */
export interface VoteOutcome extends CastVote {
  readonly score: number;
}
