/** The value of a vote: up or down. */
export type VoteValue = 1 | -1;

/** A user's current vote on an item; 0 if there is none. */
export type VoteState = VoteValue | 0;

/** A change of a user's vote on an item. The item's score changes by `to - from`. */
export interface CastVote {
  readonly from: VoteState;
  readonly to: VoteState;
}

/** The change of a vote, and the new score. */
export interface VoteOutcome extends CastVote {
  readonly score: number;
}

/**
 * What a request does with a vote: `toggle` removes the same vote and replaces the opposite one; `set` replaces the
 * opposite one and keeps the same one; `remove` removes the same vote and keeps the opposite one.
 */
export type VoteAction = 'toggle' | 'set' | 'remove';

/** What a request wants to do with a vote. */
export interface Ballot {
  readonly value: VoteValue;
  /** Absent means `toggle`. */
  readonly action?: VoteAction;
}

/** A ballot with the access key of the post, which is needed if the post is private. */
export interface PresentedBallot extends Ballot {
  readonly accessKey: string | null;
}

/** Applies a ballot to the vote that was there. */
export function castVote(from: VoteState, { value, action = 'toggle' }: Ballot): CastVote {
  if (action === 'set') return { from, to: value };
  if (from === value) return { from, to: 0 };
  return { from, to: action === 'remove' ? from : value };
}
