import { Batches } from './batches';

describe('Batches', () => {
  it('starts the first item at once, and works on those that come meanwhile together, up to its limit', async () => {
    const seen: string[][] = [];
    const batches = new Batches<string, string>(3, async (items) => {
      seen.push([...items]);
      return items.map((item) => item.toUpperCase());
    });
    const results = ['a', 'b', 'c', 'd', 'e'].map((item) => batches.run('key', item));
    expect(seen).toEqual([['a']]);
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(seen).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    expect(await batches.run('key', 'f')).toBe('F');
  });

  it('works on several keys at the same time', async () => {
    const begun: string[] = [];
    const batches = new Batches<string, never>(3, (items) => {
      begun.push(...items);
      return new Promise(() => undefined);
    });
    void batches.run('a', '1');
    void batches.run('a', '2');
    void batches.run('b', '3');
    expect(begun).toEqual(['1', '3']);
  });

  it('rejects one item with its error, or all items of a batch that fails', async () => {
    const batches = new Batches<number, number>(2, async (items) => {
      if (items.includes(4)) throw new Error('batch');
      return items.map((item) => (item === 2 ? new Error('item') : item));
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batches.run('key', item)));
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ).toEqual([1, 'item', 3, 'batch', 'batch']);
  });
});
