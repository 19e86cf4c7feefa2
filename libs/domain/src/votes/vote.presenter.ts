import type { VoteResource } from '@vitrine/contracts';
import type { CastVote, VoteState } from './vote.rules';

/** A vote that was cast, and the score of the thing with it. */
export interface VoteOutcome extends CastVote {
  readonly score: number;
}

const CAST: Readonly<Record<VoteState, string>> = { 1: 'Upvoted.', [-1]: 'Downvoted.', 0: 'Vote removed.' };

/** The answer to a vote. */
export const presentVote = ({ to, score }: VoteOutcome): VoteResource => ({ message: CAST[to], score });
