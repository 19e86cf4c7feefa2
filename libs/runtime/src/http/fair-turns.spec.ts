import { setImmediate as turn } from 'node:timers/promises';
import { FairTurns } from './fair-turns';

describe('FairTurns', () => {
  const turns = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) await turn();
  };

  it('begins immediately if no other request has begun', async () => {
    const fair = new FairTurns();
    for (let index = 0; index < 3; index++) {
      let hasBegun = false;
      expect(fair.take('a', () => (hasBegun = true))).toBe(true);
      expect(hasBegun).toBe(true);
      await turns(2);
    }
  });

  it('lets clients take turns, and refuses requests of a client with too many waiting', async () => {
    const fair = new FairTurns();
    const order: string[] = [];
    const taken = Array.from({ length: 1000 }, (_, index) =>
      fair.take('greedy', () => order.push(`g${index}`)),
    );
    expect(taken.filter(Boolean)).toHaveLength(201);
    for (const name of ['a1', 'a2']) fair.take('a', () => order.push(name));
    fair.take('b', () => order.push('b1'));
    await turns(8);
    expect(order.slice(0, 7)).toEqual(['g0', 'g1', 'a1', 'b1', 'g2', 'a2', 'g3']);
    await turns(300);
    expect(order).toHaveLength(204);
    expect(fair.take('greedy', () => order.push('again'))).toBe(true);
    expect(order.at(-1)).toBe('again');
  });
});
