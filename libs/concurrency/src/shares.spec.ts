import fc from 'fast-check';
import { Shares } from './shares';

describe('Shares', () => {
  it('gives one holder no more than its share, and all places to holders that represent many', () => {
    const shares = new Shares({ limit: 5, each: 2, leavesRoom: false });
    shares.take('a');
    expect(shares.refusalOf('a')).toBeNull();
    shares.take('a');
    expect([shares.refusalOf('a'), shares.refusalOf('b'), shares.refusalOf(null)]).toEqual([
      'share',
      null,
      null,
    ]);
    for (let taken = 0; taken < 3; taken++) shares.take(null);
    expect([shares.refusalOf('b'), shares.refusalOf(null)]).toEqual(['full', 'full']);
  });

  it('keeps a place for a new holder, however many others take all that they may', () => {
    const holders = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(holders, fc.integer({ min: 64, max: 200 }), (asking, limit) => {
        const shares = new Shares({ limit, each: limit, leavesRoom: true });
        // With n holders about limit / 2^n places are left; while that is 1 or more, at least one place is left.
        const few = asking.filter((holder) => holder < 5);
        for (const holder of few) if (!shares.refusalOf(`${holder}`)) shares.take(`${holder}`);
        expect(shares.refusalOf('newcomer')).toBeNull();
      }),
    );
  });

  it('counts holders that need several places, and what they give back of them', () => {
    const shares = new Shares({ limit: 10, each: Infinity, leavesRoom: true });
    const { giveBack } = shares.takeSome('a', 5);
    expect([shares.refusalOf('a', undefined, 1), shares.refusalOf('b', undefined, 5)]).toEqual([
      'share',
      null,
    ]);
    expect(shares.refusalOf('b', undefined, 6)).toBe('full');
    giveBack(3);
    expect([shares.total, shares.refusalOf('a', undefined, 6)]).toEqual([2, null]);
    giveBack(3);
    expect(shares.total).toBe(0);
  });

  it('counts a place that is given back only once, and forgets a holder without places', () => {
    const shares = new Shares({ limit: 2, each: 1, leavesRoom: false });
    const giveBack = shares.take('a');
    shares.take('b');
    giveBack();
    giveBack();
    expect(shares.total).toBe(1);
    expect([shares.refusalOf('a'), shares.refusalOf('b')]).toEqual([null, 'share']);
  });
});
