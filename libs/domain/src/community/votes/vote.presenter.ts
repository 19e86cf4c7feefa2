import type { VoteResource } from '@vitrine/contracts/api';
import type { CastVote, VoteState } from './vote.rules';

/** The change of a vote, and the new score. */
export interface VoteOutcome extends CastVote {
  readonly score: number;
}

const CAST: Readonly<Record<VoteState, string>> = { 1: 'Upvoted.', [-1]: 'Downvoted.', 0: 'Vote removed.' };

/** The response to a vote. */
export const presentVote = ({ to, score }: VoteOutcome): VoteResource => ({
  message: CAST[to],
  score,
  isUpvotedByUser: to === 1,
  isDownvotedByUser: to === -1,
});
