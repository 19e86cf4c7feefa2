/** A vote, as it is cast: up or down. */
export type VoteValue = 1 | -1;

/** What somebody's vote on one thing is; 0 is none. */
export type VoteState = VoteValue | 0;

/** A change of somebody's vote on one thing; the thing's score changes by `to - from`. */
export interface CastVote {
  readonly from: VoteState;
  readonly to: VoteState;
}

/** The same vote once more takes it back; the other one is a switch, in one step. */
export const castVote = (from: VoteState, value: VoteValue): CastVote => ({
  from,
  to: from === value ? 0 : value,
});
