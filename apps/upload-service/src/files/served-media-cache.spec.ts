import type { MediaEntity } from '@vitrine/domain';
import { ServedMediaCache } from './served-media-cache';

const media = (processed: boolean): MediaEntity => ({ processed }) as MediaEntity;

describe('ServedMediaCache', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    // An entry that begins at 0 has no age for `lru-cache`.
    jest.advanceTimersByTime(1);
  });
  afterEach(() => jest.useRealTimers());

  const cacheOf = (answers: (MediaEntity | null | Error)[]) => {
    const asked: string[] = [];
    const cache = new ServedMediaCache(async (slug) => {
      asked.push(slug);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? null;
    });
    return { asked, cache };
  };

  it('loads a processed media item once in half a second', async () => {
    const finished = media(true);
    const { asked, cache } = cacheOf([finished, null]);
    expect(await cache.find('a')).toBe(finished);
    jest.advanceTimersByTime(499);
    expect(await cache.find('a')).toBe(finished);
    jest.advanceTimersByTime(2);
    expect(await cache.find('a')).toBeNull();
    expect(asked).toEqual(['a', 'a']);
  });

  it('loads once for simultaneous requests', async () => {
    const { asked, cache } = cacheOf([media(false)]);
    await Promise.all([cache.find('a'), cache.find('a'), cache.find('a')]);
    expect(asked).toEqual(['a']);
  });

  it('loads an unknown slug once in half a second', async () => {
    const { asked, cache } = cacheOf([null, media(true)]);
    expect(await cache.find('a')).toBeNull();
    jest.advanceTimersByTime(499);
    expect(await cache.find('a')).toBeNull();
    jest.advanceTimersByTime(2);
    expect(await cache.find('a')).toMatchObject({ processed: true });
    expect(asked).toEqual(['a', 'a']);
  });

  it('does not keep an unprocessed media item', async () => {
    const { asked, cache } = cacheOf([media(false), media(true)]);
    await cache.find('a');
    expect(await cache.find('a')).toMatchObject({ processed: true });
    expect(asked).toEqual(['a', 'a']);
  });

  it('does not keep a failure', async () => {
    const { cache } = cacheOf([new Error('away'), media(true)]);
    await expect(cache.find('a')).rejects.toThrow('away');
    expect(await cache.find('a')).toMatchObject({ processed: true });
  });
});
