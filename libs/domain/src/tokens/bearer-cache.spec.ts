import { BearerCache } from './bearer-cache';
import type { Caller } from './caller';

const ada: Caller = {
  userId: 1,
  username: 'ada',
  role: 'user',
  isGuest: false,
  tokenId: 7,
  kind: 'api',
  scopes: ['read'],
};

/** A database whose answers come when the test says so. */
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
    // The fake clock begins at 0, which the cache takes for no time at all.
    jest.advanceTimersByTime(1);
  });
  afterEach(() => void jest.useRealTimers());

  it('believes an answer for half a second from when it was asked for', async () => {
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

  it('shares a question that is young enough, and asks again beside one that is not', async () => {
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

  it('keeps no answer that a secret is nobody’s, and none that failed', async () => {
    const cache = new BearerCache();
    expect(await cache.find('hash', () => Promise.resolve(null))).toBeNull();
    await expect(cache.find('hash', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.find('hash', () => Promise.resolve(ada))).toBe(ada);
  });

  it('forgets whom it is told to, and does not learn what was asked before', async () => {
    const cache = new BearerCache();
    const grace = { ...ada, userId: 2 };
    await cache.find('ada', () => Promise.resolve(ada));
    await cache.find('grace', () => Promise.resolve(grace));
    const database = slowDatabase();
    const late = cache.find('late', database.ask);
    cache.forget(({ userId }) => userId === 1);
    database.answer(0, ada);
    expect(await late).toBe(ada);

    const nobody = () => Promise.resolve(null);
    expect(await cache.find('ada', nobody)).toBeNull();
    expect(await cache.find('late', nobody)).toBeNull();
    expect(await cache.find('grace', nobody)).toBe(grace);
  });
});
