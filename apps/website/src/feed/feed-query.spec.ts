import type { Request } from 'express';
import { feedPath, readFeedQuery, toApiQuery, withSeed } from './feed-query';

/** The part of a request that is read. */
const asked = (search: string): Request =>
  ({ query: Object.fromEntries(groups(new URLSearchParams(search))) }) as Request;

/** Express parses a parameter that occurs more than once into a list. */
function groups(search: URLSearchParams): [string, string | string[]][] {
  return [...new Set(search.keys())].map((name) => {
    const values = search.getAll(name);
    return [name, values.length === 1 ? values[0]! : values];
  });
}

describe('readFeedQuery', () => {
  it('reads order, period, page and seed', () => {
    expect(readFeedQuery(asked('sort=random&period=week&page=3&seed=7'))).toEqual({
      sort: 'random',
      period: 'week',
      page: 3,
      seed: 7,
    });
  });

  it.each([
    '',
    'sort=best&period=century&page=0&seed=-1',
    'page=abc&seed=1.5',
    'page=99999999999&seed=2147483648',
    'page=1e3&seed=%20',
    'page=2&page=3&sort=random&sort=random&period=day&period=day',
    'sort=constructor&period=__proto__',
  ])('falls back to the first page of the latest posts for “%s”', (search) => {
    expect(readFeedQuery(asked(search))).toEqual({ sort: 'latest', period: 'all', page: 1, seed: undefined });
  });
});

describe('feedPath', () => {
  it('contains only values that differ from the defaults, and can be read back', () => {
    expect(feedPath('/', { sort: 'latest', period: 'all', page: 1 })).toBe('/');
    const query = { sort: 'random', period: 'year', page: 2, seed: 0 } as const;
    expect(feedPath('/t/a', query)).toBe('/t/a?sort=random&period=year&seed=0&page=2');
    expect(readFeedQuery(asked('sort=random&period=year&seed=0&page=2'))).toEqual(query);
    expect(feedPath('/', { sort: 'top', period: 'day' })).toBe('/?sort=top&period=day');
    expect(readFeedQuery(asked('sort=top')).sort).toBe('top');
    expect(feedPath('/search', { page: 2 }, { q: 'a&b=c' })).toBe('/search?q=a%26b%3Dc&page=2');
  });

  it('leaves out the seed if the order is not random', () => {
    expect(feedPath('/', { sort: 'latest', seed: 5 })).toBe('/');
  });
});

describe('toApiQuery', () => {
  it('requests 30 items, and sends only values that differ from the defaults', () => {
    expect(toApiQuery(readFeedQuery(asked('')))).toEqual({ limit: 30, page: 1 });
    expect(toApiQuery(readFeedQuery(asked('sort=random&seed=4&period=day&page=2')))).toEqual({
      limit: 30,
      page: 2,
      period: 'day',
      sort: 'random',
      seed: 4,
    });
    expect(toApiQuery(readFeedQuery(asked('sort=top&seed=4')))).toEqual({ limit: 30, page: 1, sort: 'top' });
  });
});

describe('withSeed', () => {
  it('adds a valid seed to a random order without one', () => {
    const seeded = withSeed(readFeedQuery(asked('sort=random&page=1')));
    expect(seeded?.seed).toBeGreaterThanOrEqual(0);
    expect(seeded?.seed).toBeLessThan(2 ** 31);
    expect(withSeed(readFeedQuery(asked('sort=random&seed=4')))).toBeNull();
    expect(withSeed(readFeedQuery(asked('')))).toBeNull();
  });
});
