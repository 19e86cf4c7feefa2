import fc from 'fast-check';
import { type CastVote, castVote, type VoteState, type VoteValue } from './vote.rules';

const anyState = fc.constantFrom<VoteState>(-1, 0, 1);
const anyValue = fc.constantFrom<VoteValue>(-1, 1);

describe('castVote', () => {
  it.each<[VoteState, VoteValue, VoteState, number]>([
    [0, 1, 1, 1],
    [1, 1, 0, -1],
    [0, -1, -1, -1],
    [-1, -1, 0, 1],
    [1, -1, -1, -2],
    [-1, 1, 1, 2],
  ])('from %i by %i is %i, the score changes by %i', (from, value, to, change) => {
    const vote = castVote(from, { value });
    expect(vote).toEqual({ from, to });
    expect(vote.to - vote.from).toBe(change);
  });

  it.each<['set' | 'remove', VoteState, VoteValue, VoteState]>([
    ['set', 0, 1, 1],
    ['set', 1, 1, 1],
    ['set', -1, 1, 1],
    ['remove', 1, 1, 0],
    ['remove', -1, 1, -1],
    ['remove', 0, -1, 0],
  ])('%s from %i by %i is %i', (action, from, value, to) => {
    expect(castVote(from, { value, action })).toEqual({ from, to });
  });

  it('always changes the vote, to the one that was cast or to none', () => {
    fc.assert(
      fc.property(anyState, anyValue, (from, value) => {
        const { to } = castVote(from, { value });
        expect(to).not.toBe(from);
        expect([value, 0]).toContain(to);
      }),
    );
  });

  it('cast twice leaves no vote', () => {
    fc.assert(
      fc.property(anyState, anyValue, (from, value) => {
        const twice = castVote(castVote(from, { value }).to, { value });
        expect(twice.to).toBe(from === value ? value : 0);
      }),
    );
  });

  it('changes the score in total by the final vote for any sequence of votes', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 50 }), (values) => {
        let state: VoteState = 0;
        let score = 0;
        for (const value of values) {
          const vote: CastVote = castVote(state, { value });
          score += vote.to - vote.from;
          state = vote.to;
        }
        expect(score).toBe(state);
      }),
    );
  });
});
