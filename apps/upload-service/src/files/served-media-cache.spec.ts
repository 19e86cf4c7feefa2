import type { ServedMedia } from '@vitrine/domain';
import { ServedMediaCache } from './served-media-cache';

const media = (processed: boolean, mime = 'image/png'): ServedMedia => ({
  slug: 'a',
  kind: 'image',
  format: 'png',
  frames: 1,
  mime,
  ext: 'png',
  processed,
  variants: [],
  alternatives: [],
  alternativesDue: false,
  storedSha256: Buffer.alloc(32),
  sharedKey: null,
});

describe('ServedMediaCache', () => {
  /** Rows of the table by slug; an error stands for a database that doesn't answer. */
  let rows: Map<string, ServedMedia> | Error;
  /** The statements: one slug each from `find`, all that are renewed together from `findAll`. */
  let statements: string[];
  let caches: ServedMediaCache[];

  beforeEach(() => {
    jest.useFakeTimers();
    rows = new Map();
    statements = [];
    caches = [];
  });
  afterEach(() => {
    for (const cache of caches) cache.close();
    jest.useRealTimers();
  });

  const read = <T>(statement: string, result: (table: Map<string, ServedMedia>) => T): Promise<T> => {
    statements.push(statement);
    // What a statement sees is decided when it runs, not when its answer arrives.
    return rows instanceof Error ? Promise.reject(rows) : Promise.resolve(result(new Map(rows)));
  };
  const create = (find?: () => Promise<ServedMedia | null>): ServedMediaCache => {
    const cache = new ServedMediaCache({
      find: find ?? ((slug) => read(slug, (table) => table.get(slug) ?? null)),
      findAll: (slugs) => read(`all ${[...slugs].toSorted().join()}`, (table) => table),
    });
    caches.push(cache);
    return cache;
  };
  const store = (slug: string, row: ServedMedia): void =>
    void (rows as Map<string, ServedMedia>).set(slug, row);
  const withdraw = (slug: string): void => void (rows as Map<string, ServedMedia>).delete(slug);
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('renews popular decisions together, without a statement for each', async () => {
    const cache = create();
    store('a', media(true));
    store('b', media(true));
    for (let ms = 0; ms < 5000; ms += 50) {
      for (const slug of ['a', 'b']) expect(await cache.find(slug)).not.toBeNull();
      await pass(50);
    }
    expect(statements.slice(0, 2)).toEqual(['a', 'b']);
    expect(new Set(statements.slice(2))).toEqual(new Set(['all a,b']));
    expect(statements.length).toBeLessThan(25);
  });

  it('stops serving a popular file within a second of its withdrawal, without any event', async () => {
    const cache = create();
    store('a', media(true));
    const useFor = async (ms: number): Promise<ServedMedia | null> => {
      let found: ServedMedia | null = null;
      for (let at = 0; at < ms; at += 10) {
        found = await cache.find('a');
        await pass(10);
      }
      return found;
    };
    expect(await useFor(1230)).not.toBeNull();
    withdraw('a');
    expect(await useFor(600)).toBeNull();
    store('a', media(true));
    expect(await useFor(600)).not.toBeNull();
  });

  it('runs no query while nothing is requested', async () => {
    const cache = create();
    store('a', media(true));
    await cache.find('a');
    await cache.find('a');
    await pass(10_000);
    expect(statements).toEqual(['a', 'all a']);
  });

  it('stops trusting what it knows when the database stops answering', async () => {
    const cache = create();
    store('a', media(true));
    await cache.find('a');
    await cache.find('a');
    rows = new Error('away');
    await pass(300);
    expect(await cache.find('a')).not.toBeNull();
    await pass(250);
    await expect(cache.find('a')).rejects.toThrow('away');
    rows = new Map([['a', media(true)]]);
    expect(await cache.find('a')).not.toBeNull();
  });

  it('loads once for simultaneous requests', async () => {
    const cache = create();
    await Promise.all([cache.find('a'), cache.find('a'), cache.find('a')]);
    expect(statements).toEqual(['a']);
  });

  it('loads an unknown slug once in half a second, and never renews it', async () => {
    const cache = create();
    expect(await cache.find('a')).toBeNull();
    await pass(499);
    expect(await cache.find('a')).toBeNull();
    await pass(2);
    store('a', media(true));
    expect(await cache.find('a')).not.toBeNull();
    expect(statements).toEqual(['a', 'a']);
  });

  it('does not keep an unprocessed media item', async () => {
    const cache = create();
    store('a', media(false));
    await cache.find('a');
    store('a', media(true));
    expect(await cache.find('a')).toMatchObject({ processed: true });
    expect(statements).toEqual(['a', 'a']);
  });

  it('does not keep a failure', async () => {
    const cache = create();
    rows = new Error('away');
    await expect(cache.find('a')).rejects.toThrow('away');
    rows = new Map([['a', media(true)]]);
    expect(await cache.find('a')).not.toBeNull();
  });

  describe('after an event', () => {
    it('reads the row with the next request', async () => {
      const cache = create();
      store('a', media(true, 'image/png'));
      await cache.find('a');
      store('a', media(true, 'image/webp'));
      cache.forget('a');
      expect(await cache.find('a')).toMatchObject({ mime: 'image/webp' });
    });

    it('does not keep the result of a statement that was in progress', async () => {
      const answers: ((found: ServedMedia | null) => void)[] = [];
      const cache = create(() => new Promise((resolve) => answers.push(resolve)));
      const early = cache.find('a');
      cache.forget('a');
      const later = cache.find('a');
      answers[1]!(null);
      answers[0]!(media(true));
      expect(await early).not.toBeNull();
      expect(await later).toBeNull();
      expect(await cache.find('a')).toBeNull();
    });

    it('does not keep the result of a renewal that was in progress', async () => {
      let answer: (() => void) | undefined;
      const cache = new ServedMediaCache({
        find: (slug) => read(slug, (table) => table.get(slug) ?? null),
        findAll: () => new Promise((resolve) => (answer = () => resolve(new Map([['a', media(true)]])))),
      });
      caches.push(cache);
      store('a', media(true));
      await cache.find('a');
      await cache.find('a');
      await pass(250);
      withdraw('a');
      cache.forget('a');
      answer!();
      await pass(0);
      expect(await cache.find('a')).toBeNull();
    });
  });
});
