import fc from 'fast-check';
import { MAX_CONCURRENT, MAX_ATTEMPTS, nextWake } from './queue';
import { fileCalled, mediaCalled, QueueDriver } from './testing/queue-driver';

describe('upload queue', () => {
  let driver: QueueDriver;

  beforeEach(() => {
    driver = new QueueDriver();
  });

  it('sends at most three files at a time, in the order of the page', () => {
    driver.add(...['a', 'b', 'c', 'd', 'e'].map((name) => fileCalled(name)));
    expect([...driver.inProgress.values()]).toEqual([1, 2, 3]);

    driver.tell({ type: 'moved', id: 5, to: 0 });
    driver.end(2, 'uploaded');

    expect([...driver.inProgress.values()]).toEqual([1, 3, 5]);
    expect(driver.queue.items.map(({ id }) => id)).toEqual([5, 1, 2, 3, 4]);
  });

  it('refuses empty files and files above the size limit without sending them', () => {
    driver.add(fileCalled('whole', 5000), fileCalled('more', 5001), fileCalled('no', 0));

    expect(driver.stages).toEqual(['sending', 'failed', 'failed']);
    driver.tell({ type: 'retried', id: 2, key: 'other' });
    expect(driver.stages).toEqual(['sending', 'failed', 'failed']);
  });

  it('adds a file only once, and again if it has failed', () => {
    driver.add(fileCalled('a'), fileCalled('b'));
    driver.add(fileCalled('a'), { ...fileCalled('a'), modified: 2 });
    expect(driver.queue.items.map(({ file }) => file.name)).toEqual(['a', 'b', 'a']);

    driver.end(1, 'refused');
    driver.add(fileCalled('a'));

    expect(driver.stages).toEqual(['sending', 'sending', 'sending']);
    expect(driver.queue.items.map(({ id }) => id)).toEqual([5, 2, 4]);
  });

  it('retries with growing pauses, and stops after six attempts', () => {
    driver.add(fileCalled('a'));
    for (let failedAttempts = 1; failedAttempts < MAX_ATTEMPTS; failedAttempts++) {
      driver.end(1, 'retryable');
      expect(driver.stages).toEqual(['waiting']);
      driver.wait();
    }
    driver.end(1, 'retryable');

    const times = driver.sentAt.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(driver.queue.items[0]?.stage).toMatchObject({ name: 'failed', failure: { reason: 'connection' } });

    driver.tell({ type: 'retried', id: 1, key: 'other' });
    expect(new Set(driver.sentAt.map(({ key }) => key))).toEqual(new Set(['key-1']));
  });

  it('retries a refused file with a new key when the visitor asks for it', () => {
    driver.add(fileCalled('a'));
    driver.end(1, 'refused');

    driver.tell({ type: 'retried', id: 1, key: 'other' });

    expect(driver.sentAt.map(({ key }) => key)).toEqual(['key-1', 'other']);
  });

  it('waits as long as the service requests', () => {
    driver.add(fileCalled('a'));
    driver.end(1, 'retryable', 40_000);
    expect(nextWake(driver.queue, driver.now)).toBe(driver.now + 40_000);
  });

  it('pauses all files after a failure, and continues when one succeeds', () => {
    driver.add(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => fileCalled(name)));
    driver.end(1, 'retryable');
    driver.end(2, 'retryable');
    expect(driver.stages).toEqual(['waiting', 'waiting', 'sending', 'waiting', 'waiting', 'waiting']);

    driver.end(3, 'uploaded');

    expect(driver.stages).toEqual(['waiting', 'waiting', 'uploaded', 'sending', 'sending', 'sending']);
  });

  it('pauses all files at a rate limit until it ends or the visitor continues', () => {
    driver.add(...['a', 'b', 'c', 'd'].map((name) => fileCalled(name)));
    driver.end(1, 'limited', 60_000);

    expect(driver.stages).toEqual(['waiting', 'sending', 'sending', 'waiting']);
    expect(nextWake(driver.queue, driver.now)).toBe(driver.now + 60_000);
    driver.tell({ type: 'resumed' });
    expect(driver.stages).toEqual(['sending', 'sending', 'sending', 'waiting']);

    driver.end(1, 'limited', 60_000);
    driver.wait();
    expect(driver.stages).toEqual(['sending', 'sending', 'sending', 'waiting']);
  });

  it.each(['paused', 'offline'] as const)(
    'aborts running uploads when %s, and continues afterwards',
    (type) => {
      driver.add(...['a', 'b', 'c', 'd'].map((name) => fileCalled(name)));
      driver.tell({ type });
      expect(driver.inProgress.size).toBe(0);
      expect(nextWake(driver.queue, driver.now)).toBeNull();

      driver.tell({ type: type === 'paused' ? 'resumed' : 'online' });

      expect([...driver.inProgress.values()]).toEqual([1, 2, 3]);
    },
  );

  it('retries files with a failed connection when the browser is online again', () => {
    driver.add(fileCalled('a'), fileCalled('b'));
    driver.end(2, 'refused');
    for (let failedAttempts = 1; failedAttempts < MAX_ATTEMPTS; failedAttempts++) {
      driver.end(1, 'retryable');
      driver.wait();
    }
    driver.end(1, 'retryable');

    driver.tell({ type: 'online' });

    expect(driver.stages).toEqual(['sending', 'failed']);
  });

  it('waits for a login if the session has ended', () => {
    driver.add(fileCalled('a'), fileCalled('b'));
    driver.end(1, 'loggedOut');
    driver.end(2, 'loggedOut');
    expect(driver.queue.logInPath).toBe('/login');
    expect(nextWake(driver.queue, driver.now)).toBeNull();

    driver.tell({ type: 'resumed' });

    expect(driver.stages).toEqual(['sending', 'sending']);
  });

  it('deletes removed files from the service, before or after the upload ends', () => {
    driver.add(fileCalled('a'), fileCalled('b'));
    driver.end(1, 'uploaded');
    const [attempt = 0] = driver.inProgress.keys();
    driver.tell({ type: 'removed', id: 1 });
    driver.tell({ type: 'removed', id: 2 });
    expect(driver.inProgress.size).toBe(0);

    driver.tell({ type: 'uploaded', id: 2, attempt, media: mediaCalled('late') });

    expect(driver.discarded).toEqual(['m1', 'late']);
    expect(driver.queue.items).toEqual([]);
  });

  it('does not delete posted files from the service', () => {
    driver.add(fileCalled('a'), fileCalled('b'));
    driver.end(1, 'uploaded');
    driver.tell({ type: 'posted', ids: [1] });
    expect(driver.stages).toEqual(['sending']);
    expect(driver.discarded).toEqual([]);
  });

  it('accepts the response of an aborted attempt, because the file was uploaded', () => {
    driver.add(fileCalled('a'));
    const [attempt = 0] = driver.inProgress.keys();
    driver.tell({ type: 'paused' });
    driver.tell({ type: 'resumed' });

    driver.tell({ type: 'uploaded', id: 1, attempt, media: mediaCalled('m1') });

    expect(driver.stages).toEqual(['uploaded']);
    expect(driver.inProgress.size).toBe(0);
  });
});

describe('any upload queue after random events', () => {
  const indexes = fc.nat({ max: 20 });
  const happening = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), name: fc.nat({ max: 12 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'uploaded' as const,
          'refused' as const,
          'retryable' as const,
          'limited' as const,
          'loggedOut' as const,
        ),
        index: indexes,
        afterMs: fc.nat({ max: 100_000 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'remove' as const,
          'move' as const,
          'replace' as const,
          'retry' as const,
          'stray' as const,
        ),
        index: indexes,
        to: fc.integer({ min: -2, max: 22 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('pause' as const, 'resume' as const, 'offline' as const, 'online' as const),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 40_000 }) }) },
  );
  type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

  /** Slugs of the files that the service has received. */
  const taken = new Set<string>();
  /** The ids of edited files, which follow those of the driver. */
  let edits = 1_000;

  const act = (driver: QueueDriver, it: Happening): void => {
    const pick = (index: number): number | undefined =>
      driver.queue.items[index % Math.max(1, driver.queue.items.length)]?.id;
    switch (it.do) {
      case 'add':
        return driver.add(fileCalled(`file ${it.name}`, it.name * 10));
      case 'remove': {
        const id = pick(it.index);
        return id === undefined ? undefined : driver.tell({ type: 'removed', id });
      }
      case 'replace': {
        const old = driver.queue.items[it.index];
        const by = { id: ++edits, key: `edit ${edits}`, file: fileCalled(old?.file.name ?? '') };
        return old && driver.tell({ type: 'replaced', id: old.id, by });
      }
      case 'move': {
        const id = pick(it.index);
        return id === undefined ? undefined : driver.tell({ type: 'moved', id, to: it.to });
      }
      case 'retry': {
        const id = pick(it.index);
        return id === undefined
          ? undefined
          : driver.tell({ type: 'retried', id, key: `again ${driver.now}` });
      }
      case 'stray':
        // An attempt that never existed or has ended.
        return driver.tell({ type: 'retryable', id: it.index, attempt: -1, afterMs: 1 });
      case 'pause':
        return driver.tell({ type: 'paused' });
      case 'resume':
        return driver.tell({ type: 'resumed' });
      case 'offline':
      case 'online':
        return driver.tell({ type: it.do });
      case 'wait':
        driver.now += it.ms;
        return driver.tell({ type: 'time' });
      default: {
        const ids = [...driver.inProgress.values()];
        const id = ids[it.index % Math.max(1, ids.length)];
        if (id === undefined) return;
        if (it.do === 'uploaded') taken.add(`m${id}`);
        return driver.end(id, it.do, it.afterMs);
      }
    }
  };

  const assertSound = (driver: QueueDriver): void => {
    const { items, paused, online, logInPath, limitedUntil, backoffUntil } = driver.queue;
    const sending = items.flatMap(({ id, stage }) => (stage.name === 'sending' ? [[stage.attempt, id]] : []));
    // Exactly the items in the stage `sending` are being sent.
    expect(new Map(sending as [number, number][])).toEqual(driver.inProgress);
    expect(sending.length).toBeLessThanOrEqual(MAX_CONCURRENT);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ file }) => file.name)).size).toBe(items.length);
    if (paused || !online) expect(sending).toEqual([]);
    const isFree =
      !paused && online && logInPath === null && Math.max(limitedUntil, backoffUntil) <= driver.now;
    const due = items.filter(({ stage }) => stage.name === 'waiting' && stage.notBefore <= driver.now);
    // No upload slot is free while a file could use it.
    if (isFree && due.length > 0) expect(sending.length).toBe(MAX_CONCURRENT);
    // A queue that waits for a time has a next wake-up.
    if (!paused && online && logInPath === null && sending.length === 0 && due.length < items.length) {
      const isWaiting = items.some(({ stage }) => stage.name === 'waiting');
      expect(nextWake(driver.queue, driver.now) !== null).toBe(isWaiting);
    }
    // The service keeps exactly the files that the page shows.
    const shown = items.flatMap(({ stage }) => (stage.name === 'uploaded' ? [stage.media.slug] : []));
    expect(new Set([...shown, ...driver.discarded])).toEqual(taken);
    expect(shown.filter((slug) => driver.discarded.includes(slug))).toEqual([]);
  };

  it('keeps its invariants', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        taken.clear();
        const driver = new QueueDriver();
        for (const it of happenings) {
          act(driver, it);
          assertSound(driver);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('uploads all files when nothing stops it any more', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        taken.clear();
        const driver = new QueueDriver();
        for (const it of happenings) act(driver, it);
        driver.tell({ type: 'online' });
        driver.tell({ type: 'resumed' });
        for (const { id } of driver.queue.items) driver.tell({ type: 'retried', id, key: `last ${id}` });
        for (let rounds = 0; driver.inProgress.size > 0; rounds++) {
          expect(rounds).toBeLessThan(200);
          for (const id of [...driver.inProgress.values()]) driver.end(id, 'uploaded');
        }
        // Empty files can't be uploaded.
        const rest = driver.queue.items.filter(({ stage }) => stage.name !== 'uploaded');
        expect(rest.every(({ file }) => file.size === 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('sends a file under one key until the visitor retries a refused one', () => {
    fc.assert(
      fc.property(
        fc.array(
          happening.filter((it) => it.do !== 'retry'),
          { maxLength: 60 },
        ),
        (happenings) => {
          taken.clear();
          const driver = new QueueDriver();
          for (const it of happenings) act(driver, it);
          for (const { id, key } of driver.sentAt) expect(key).toBe(`key-${id}`);
        },
      ),
    );
  });
});
