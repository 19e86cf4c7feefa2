import { useDomain } from '@vitrine/testing';
import { MAX_ATTEMPTS, secondsAfterFailure, secondsToNextPurge } from './cache-purge.rules';
import type { ClaimedPurge } from './cache-purge.types';
import { CachePurgesModule } from './cache-purges.module';
import { CachePurges } from './cache-purges.service';

const LEASE_SECONDS = 60;

describe('CachePurges', () => {
  const domain = useDomain([CachePurgesModule]);
  let purges: CachePurges;

  beforeAll(() => {
    purges = domain.get(CachePurges);
  });
  beforeEach(() => domain.dataSource.query('truncate cache_purges'));

  const media = (slug: string, ...fileNames: string[]) => ({ slug, fileNames });
  const claim = (cache = 'varnish', limit = 100): Promise<readonly ClaimedPurge[]> =>
    purges.claim(cache, limit, LEASE_SECONDS);
  /** Lets so many seconds pass for all purges. */
  const pass = (seconds: number): Promise<unknown> =>
    domain.dataSource.query(
      `update cache_purges set requested_at = requested_at - make_interval(secs => $1),
         due_at = due_at - make_interval(secs => $1)`,
      [seconds],
    );
  const rows = (): Promise<Record<string, unknown>[]> =>
    domain.dataSource.query(
      'select cache, slug, attempts, error, due_at from cache_purges order by cache, slug',
    );

  it('tells each cache at once, after two seconds and after a minute, and then forgets the request', async () => {
    await purges.request(['varnish', 'fastly'], [media('aaaaaaa', 'aaaaaaa.jpg')], 'withdrawn');
    for (const seconds of [0, 2, 58]) {
      await pass(seconds);
      const claimed = await claim();
      expect(claimed).toMatchObject([
        {
          slug: 'aaaaaaa',
          fileNames: ['aaaaaaa.jpg'],
          cause: 'withdrawn',
          attempt: 1,
          isFirst: seconds === 0,
        },
      ]);
      expect(await claim()).toEqual([]);
      await purges.recordSuccess('varnish', claimed);
    }
    expect(await rows()).toMatchObject([{ cache: 'fastly' }]);
  });

  it('keeps a request that comes while an older one is sent', async () => {
    await purges.request(['varnish'], [media('aaaaaaa', 'aaaaaaa_md.jpg')], 'replaced');
    const older = await claim();
    await purges.request(['varnish'], [media('aaaaaaa', 'aaaaaaa_md.png')], 'withdrawn');
    await pass(120);
    await purges.recordSuccess('varnish', older);
    const [latest] = await claim();
    expect(latest).toMatchObject({ cause: 'withdrawn', isFirst: true });
    expect([...latest!.fileNames].sort()).toEqual(['aaaaaaa_md.jpg', 'aaaaaaa_md.png']);
  });

  it('gives withdrawn media to different processes before replaced ones', async () => {
    await purges.request(['varnish'], [media('aaaaaaa'), media('bbbbbbb')], 'replaced');
    await pass(10);
    await purges.request(['varnish'], [media('ccccccc'), media('ddddddd')], 'withdrawn');
    const taken = await Promise.all([claim('varnish', 1), claim('varnish', 1)]);
    expect(taken.flatMap((some) => some.map(({ slug }) => slug)).sort()).toEqual(['ccccccc', 'ddddddd']);
    expect((await claim()).map(({ slug }) => slug).sort()).toEqual(['aaaaaaa', 'bbbbbbb']);
  });

  it('is sent again if its process died', async () => {
    await purges.request(['varnish'], [media('aaaaaaa')], 'withdrawn');
    await claim();
    expect(await purges.findSecondsToNext('varnish')).toBeGreaterThan(LEASE_SECONDS - 5);
    await pass(LEASE_SECONDS);
    expect(await claim()).toMatchObject([{ attempt: 2 }]);
  });

  it('waits longer after each failure, and at least as long as the cache asks for', async () => {
    await purges.request(['fastly'], [media('aaaaaaa')], 'withdrawn');
    for (const seconds of [1, 2, 4]) {
      await purges.recordFailure('fastly', await claim('fastly'), 'Fastly answered 500');
      expect(await purges.findSecondsToNext('fastly')).toBeCloseTo(seconds, 0);
      expect(await claim('fastly')).toEqual([]);
      await pass(seconds);
    }
    await purges.recordFailure('fastly', await claim('fastly'), 'Fastly answered 429', 300);
    expect(await purges.findSecondsToNext('fastly')).toBeGreaterThan(290);
    await pass(300);
    await purges.recordSuccess('fastly', await claim('fastly'));
    expect(await rows()).toEqual([]);
  });

  it('gives up after a day, and tells again on request', async () => {
    await purges.request(['varnish'], [media('aaaaaaa'), media('bbbbbbb')], 'withdrawn');
    await domain.dataSource.query(`update cache_purges set attempts = $1 where slug = 'aaaaaaa'`, [
      MAX_ATTEMPTS - 1,
    ]);
    const dead = await purges.recordFailure('varnish', await claim(), 'varnish: ECONNREFUSED');
    expect(dead).toBe(1);
    await pass(10);
    expect(await purges.findBacklogs()).toEqual([
      {
        cache: 'varnish',
        waiting: 1,
        dead: 1,
        oldestDue: expect.closeTo(9, 0),
        error: 'varnish: ECONNREFUSED',
      },
    ]);
    expect((await claim()).map(({ slug }) => slug)).toEqual(['bbbbbbb']);
    expect(await purges.retryDead()).toBe(1);
    expect(await claim()).toMatchObject([{ slug: 'aaaaaaa', attempt: 1 }]);
  });

  it('is removed when every cache has forgotten by itself', async () => {
    await purges.request(['varnish'], [media('aaaaaaa')], 'withdrawn');
    await pass(401 * 86_400);
    await purges.request(['varnish'], [media('bbbbbbb')], 'withdrawn');
    expect(await purges.removeOld()).toBe(1);
    expect(await rows()).toMatchObject([{ slug: 'bbbbbbb' }]);
  });
});

describe('the rules of purges', () => {
  it('give up after about a day of failures', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, i) => secondsAfterFailure(i + 1)!);
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(24);
    expect(secondsAfterFailure(MAX_ATTEMPTS)).toBeNull();
  });

  it.each([
    [0, 2],
    [1.5, 0.5],
    [2, 58],
    [59, 1],
    [60, null],
    [3600, null],
  ])('purge again after an attempt at %d seconds in %p seconds', (age, wait) => {
    expect(secondsToNextPurge(age)).toBe(wait);
  });
});
