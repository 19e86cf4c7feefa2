import type { VoteResource } from '@vitrine/contracts/api';
import type { VoteState, VoteOutcome } from '@vitrine/domain';

const CAST: Readonly<Record<VoteState, string>> = { 1: 'Upvoted.', [-1]: 'Downvoted.', 0: 'Vote removed.' };

/** The response to a vote. */
export const presentVote = ({ to, score }: VoteOutcome): VoteResource => ({
  message: CAST[to],
  score,
  isUpvotedByUser: to === 1,
  isDownvotedByUser: to === -1,
});
