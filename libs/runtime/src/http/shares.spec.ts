import fc from 'fast-check';
import { Shares } from './shares';

describe('Shares', () => {
  it('gives one holder its share and no more, and all places to holders who stand for many', () => {
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

  it('keeps a place for a holder without one, however many others take all that they may', () => {
    const holders = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(holders, fc.integer({ min: 64, max: 200 }), (asking, limit) => {
        const shares = new Shares({ limit, each: limit, leavesRoom: true });
        // With n holders there are about limit / 2^n places left, and never none while that is a whole one.
        const few = asking.filter((holder) => holder < 5);
        for (const holder of few) if (!shares.refusalOf(`${holder}`)) shares.take(`${holder}`);
        expect(shares.refusalOf('newcomer')).toBeNull();
      }),
    );
  });

  it('counts a place that is given back once, and forgets a holder who has none', () => {
    const shares = new Shares({ limit: 2, each: 1, leavesRoom: false });
    const giveBack = shares.take('a');
    shares.take('b');
    giveBack();
    giveBack();
    expect(shares.total).toBe(1);
    expect([shares.refusalOf('a'), shares.refusalOf('b')]).toEqual([null, 'share']);
  });
});
