/** The value of a vote: up or down. */
export type VoteValue = 1 | -1;

/** A user's current vote on an item; 0 if there is none. */
export type VoteState = VoteValue | 0;

/** A change of a user's vote on an item. The item's score changes by `to - from`. */
export interface CastVote {
  readonly from: VoteState;
  readonly to: VoteState;
}

/**
 * What a request does with a vote: `toggle` removes the same vote and replaces the opposite one; `set` replaces the
 * opposite one and keeps the same one; `remove` removes the same vote and keeps the opposite one.
 */
export type VoteAction = 'toggle' | 'set' | 'remove';

/** Applies a vote of a `value`. */
export function castVote(from: VoteState, value: VoteValue, action: VoteAction = 'toggle'): CastVote {
  if (action === 'set') return { from, to: value };
  if (from === value) return { from, to: 0 };
  return { from, to: action === 'remove' ? from : value };
}
