import { Counters, type Limiter } from './counters';

const OPTIONS = { name: 'test', points: 5, windowSeconds: 60 };

const admitted = async (limiter: Limiter, key: string, tries: number): Promise<number> => {
  const counts = await Promise.all(Array.from({ length: tries }, () => limiter.consume(key)));
  return counts.filter(({ exceeded }) => !exceeded).length;
};

describe('Counters without Redis', () => {
  it('count per key up to the limit, and take counts back', async () => {
    const limiter = new Counters({ redisUrl: '' }).limiter(OPTIONS);
    expect(await limiter.get('a')).toBeNull();
    expect(await limiter.consume('a')).toMatchObject({ remainingPoints: 4, exceeded: false });
    expect(await admitted(limiter, 'a', 10)).toBe(4);
    expect(await limiter.consume('b')).toMatchObject({ remainingPoints: 4 });
    await limiter.reward('b');
    expect((await limiter.get('b'))?.remainingPoints).toBe(5);
  });
});
