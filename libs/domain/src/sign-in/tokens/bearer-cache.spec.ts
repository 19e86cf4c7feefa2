import { BearerCache } from './bearer-cache';
import type { Caller } from '../../base/access/caller';

const ada: Caller = {
  userId: 1,
  username: 'ada',
  role: 'user',
  isGuest: false,
  tokenId: 7,
  kind: 'api',
  scopes: ['read'],
};

/** A database that answers when the test tells it to. */
function slowDatabase() {
  const answers: ((caller: Caller | null) => void)[] = [];
  return {
    ask: () => new Promise<Caller | null>((resolve) => answers.push(resolve)),
    asked: () => answers.length,
    answer: (index: number, caller: Caller | null) => answers[index]?.(caller),
  };
}

describe('BearerCache', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    // The fake clock starts at 0, which the cache treats as no time.
    jest.advanceTimersByTime(1);
  });
  afterEach(() => void jest.useRealTimers());

  it('keeps an answer for half a second from the question', async () => {
    const cache = new BearerCache();
    const database = slowDatabase();
    const first = cache.find('hash', database.ask);
    jest.advanceTimersByTime(300);
    database.answer(0, ada);
    expect(await first).toBe(ada);
    jest.advanceTimersByTime(199);
    expect(await cache.find('hash', database.ask)).toBe(ada);
    expect(database.asked()).toBe(1);
    jest.advanceTimersByTime(2);
    void cache.find('hash', database.ask);
    expect(database.asked()).toBe(2);
  });

  it('shares a recent question, and asks again beside an old one', async () => {
    const cache = new BearerCache();
    const database = slowDatabase();
    const first = cache.find('hash', database.ask);
    jest.advanceTimersByTime(499);
    const second = cache.find('hash', database.ask);
    expect(database.asked()).toBe(1);
    jest.advanceTimersByTime(2);
    const third = cache.find('hash', database.ask);
    expect(database.asked()).toBe(2);
    database.answer(0, ada);
    database.answer(1, null);
    expect(await Promise.all([first, second, third])).toEqual([ada, ada, null]);
    void cache.find('hash', database.ask);
    expect(database.asked()).toBe(3);
  });

  it('does not keep answers for unknown secrets and failures', async () => {
    const cache = new BearerCache();
    expect(await cache.find('hash', () => Promise.resolve(null))).toBeNull();
    await expect(cache.find('hash', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.find('hash', () => Promise.resolve(ada))).toBe(ada);
  });

  it('forgets the given callers, and ignores answers to earlier questions', async () => {
    const cache = new BearerCache();
    const grace = { ...ada, userId: 2 };
    await cache.find('ada', () => Promise.resolve(ada));
    await cache.find('grace', () => Promise.resolve(grace));
    const database = slowDatabase();
    const late = cache.find('late', database.ask);
    cache.forget(({ userId }) => userId === 1);
    database.answer(0, ada);
    expect(await late).toBe(ada);

    const unknown = () => Promise.resolve(null);
    expect(await cache.find('ada', unknown)).toBeNull();
    expect(await cache.find('late', unknown)).toBeNull();
    expect(await cache.find('grace', unknown)).toBe(grace);
  });
});
