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
    const vote = castVote(from, value);
    expect(vote).toEqual({ from, to });
    expect(vote.to - vote.from).toBe(change);
  });

  it('always changes something, and only ever to the vote that was cast or to none', () => {
    fc.assert(
      fc.property(anyState, anyValue, (from, value) => {
        const { to } = castVote(from, value);
        expect(to).not.toBe(from);
        expect([value, 0]).toContain(to);
      }),
    );
  });

  it('cast twice changes nothing where there was no vote, nor from the other one more than taking it back', () => {
    fc.assert(
      fc.property(anyState, anyValue, (from, value) => {
        const twice = castVote(castVote(from, value).to, value);
        expect(twice.to).toBe(from === value ? value : 0);
      }),
    );
  });

  it('adds up: whatever is cast, the changes of the score sum to the vote that stands at the end', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 50 }), (values) => {
        let state: VoteState = 0;
        let score = 0;
        for (const value of values) {
          const vote: CastVote = castVote(state, value);
          score += vote.to - vote.from;
          state = vote.to;
        }
        expect(score).toBe(state);
      }),
    );
  });
});
