import fc from 'fast-check';
import { TurnQueue } from './turn-queue';

describe('TurnQueue', () => {
  const drained = (queue: TurnQueue<number>): (readonly [string, number])[] => {
    const taken: (readonly [string, number])[] = [];
    for (let next = queue.shift(); next; next = queue.shift()) taken.push([next.holder, next.item]);
    return taken;
  };

  it('lets holders take turns, each with its items in their order', () => {
    const queue = new TurnQueue<number>();
    for (const item of [1, 2, 3]) queue.push('a', item);
    for (const item of [4, 5]) queue.push('b', item);
    expect([queue.lengthOf('a'), queue.lengthOf('b'), queue.lengthOf('c')]).toEqual([3, 2, 0]);
    expect(drained(queue)).toEqual([
      ['a', 1],
      ['b', 4],
      ['a', 2],
      ['b', 5],
      ['a', 3],
    ]);
  });

  it('skips a holder that may not go, without taking its turn away', () => {
    const queue = new TurnQueue<number>();
    queue.push('a', 1);
    queue.push('b', 2);
    queue.push('b', 3);
    expect(queue.shift((holder) => holder !== 'a')).toEqual({ holder: 'b', item: 2 });
    expect(queue.shift(() => false)).toBeUndefined();
    expect(drained(queue)).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
  });

  it('gives out each item once, and makes a holder wait for no more than one item of each other', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (holders) => {
        const queue = new TurnQueue<number>();
        holders.forEach((holder, index) => queue.push(holder, index));
        const taken = drained(queue);
        expect(taken.map(([, index]) => index).sort((a, b) => a - b)).toEqual(
          holders.map((_, index) => index),
        );
        for (const [position, [holder]] of taken.entries()) {
          const before = taken.slice(0, position);
          const since = before.slice(before.findLastIndex(([other]) => other === holder) + 1);
          expect(new Set(since.map(([other]) => other)).size).toBe(since.length);
        }
      }),
    );
  });
});
