import fc from 'fast-check';
import {
  AT_ONCE,
  type Command,
  emptyQueue,
  type FileFacts,
  MAX_TRIES,
  nextWake,
  type Queue,
  type QueueEvent,
  step,
  type UploadedMedia,
} from './queue';

const fileCalled = (name: string, size = 1000): FileFacts => ({ name, size, modified: 1 });
const mediaCalled = (slug: string): UploadedMedia => ({
  id: Number.parseInt(slug, 36),
  slug,
  video: false,
  thumb: `https://files.example/${slug}`,
  processed: false,
  status: 'pending',
  error: null,
});
const refusal = { reason: 'refused', message: 'No.' } as const;

/** A queue with the world around it: attempts that are under way, files that the service has taken in, a clock. */
class Bench {
  queue: Queue = emptyQueue(true, { bytes: 5000, words: '5 kB' });
  now = 1_000_000;
  readonly underWay = new Map<number, number>();
  readonly discarded: string[] = [];
  /** When the attempts began. */
  readonly sentAt: { readonly id: number; readonly key: string; readonly at: number }[] = [];
  private lastId = 0;

  tell(event: QueueEvent): void {
    const { queue, commands } = step(this.queue, event, this.now);
    this.queue = queue;
    for (const command of commands) this.carryOut(command);
  }

  add(...files: readonly FileFacts[]): void {
    const fresh = files.map((file) => ({ id: ++this.lastId, key: `key-${this.lastId}`, file }));
    this.tell({ type: 'added', files: fresh });
  }

  /** Ends the attempt of a file. */
  end(id: number, how: 'uploaded' | 'refused' | 'stumbled' | 'limited' | 'loggedOut', afterMs = 0): void {
    const attempt = [...this.underWay].find(([, file]) => file === id)?.[0];
    if (attempt === undefined) throw new Error(`File ${id} is not under way`);
    this.underWay.delete(attempt);
    const about = { id, attempt };
    switch (how) {
      case 'uploaded':
        return this.tell({ type: how, ...about, media: mediaCalled(`m${id}`) });
      case 'refused':
        return this.tell({ type: how, ...about, failure: refusal });
      case 'loggedOut':
        return this.tell({ type: how, ...about, logInPath: '/login' });
      default:
        return this.tell({ type: how, ...about, afterMs });
    }
  }

  wait(): void {
    const at = nextWake(this.queue, this.now);
    if (at === null) throw new Error('The queue waits for no time');
    this.now = at;
    this.tell({ type: 'time' });
  }

  get stages(): string[] {
    return this.queue.items.map(({ stage }) => stage.name);
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'send': {
        this.underWay.set(command.attempt, command.id);
        const { key = '' } = this.queue.items.find(({ id }) => id === command.id) ?? {};
        return void this.sentAt.push({ id: command.id, key, at: this.now });
      }
      case 'abort':
        return void this.underWay.delete(command.attempt);
      case 'discard':
        return void this.discarded.push(command.slug);
    }
  }
}

describe('the queue of files', () => {
  let bench: Bench;

  beforeEach(() => {
    bench = new Bench();
  });

  it('sends a few at a time, in the order of the page', () => {
    bench.add(...['a', 'b', 'c', 'd', 'e'].map((name) => fileCalled(name)));
    expect([...bench.underWay.values()]).toEqual([1, 2, 3]);

    bench.tell({ type: 'moved', id: 5, to: 0 });
    bench.end(2, 'uploaded');

    expect([...bench.underWay.values()]).toEqual([1, 3, 5]);
    expect(bench.queue.items.map(({ id }) => id)).toEqual([5, 1, 2, 3, 4]);
  });

  it('refuses an empty file and one above the limit of the page before it sends a byte', () => {
    bench.add(fileCalled('whole', 5000), fileCalled('more', 5001), fileCalled('no', 0));

    expect(bench.stages).toEqual(['sending', 'failed', 'failed']);
    bench.tell({ type: 'retried', id: 2, key: 'other' });
    expect(bench.stages).toEqual(['sending', 'failed', 'failed']);
  });

  it('has a file once, and takes it anew where it failed', () => {
    bench.add(fileCalled('a'), fileCalled('b'));
    bench.add(fileCalled('a'), { ...fileCalled('a'), modified: 2 });
    expect(bench.queue.items.map(({ file }) => file.name)).toEqual(['a', 'b', 'a']);

    bench.end(1, 'refused');
    bench.add(fileCalled('a'));

    expect(bench.stages).toEqual(['sending', 'sending', 'sending']);
    expect(bench.queue.items.map(({ id }) => id)).toEqual([5, 2, 4]);
  });

  it('tries again ever later, and leaves it to the visitor in the end', () => {
    bench.add(fileCalled('a'));
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      bench.end(1, 'stumbled');
      expect(bench.stages).toEqual(['waiting']);
      bench.wait();
    }
    bench.end(1, 'stumbled');

    const times = bench.sentAt.map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(bench.queue.items[0]?.stage).toMatchObject({ name: 'failed', failure: { reason: 'connection' } });

    bench.tell({ type: 'retried', id: 1, key: 'other' });
    expect(new Set(bench.sentAt.map(({ key }) => key))).toEqual(new Set(['key-1']));
  });

  it('sends what was refused as another upload, when the visitor wants it so', () => {
    bench.add(fileCalled('a'));
    bench.end(1, 'refused');

    bench.tell({ type: 'retried', id: 1, key: 'other' });

    expect(bench.sentAt.map(({ key }) => key)).toEqual(['key-1', 'other']);
  });

  it('waits as long as the service asks for', () => {
    bench.add(fileCalled('a'));
    bench.end(1, 'stumbled', 40_000);
    expect(nextWake(bench.queue, bench.now)).toBe(bench.now + 40_000);
  });

  it('lets no other file run against the same wall, and goes on at once when one gets through', () => {
    bench.add(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => fileCalled(name)));
    bench.end(1, 'stumbled');
    bench.end(2, 'stumbled');
    expect(bench.stages).toEqual(['waiting', 'waiting', 'sending', 'waiting', 'waiting', 'waiting']);

    bench.end(3, 'uploaded');

    expect(bench.stages).toEqual(['waiting', 'waiting', 'uploaded', 'sending', 'sending', 'sending']);
  });

  it('holds everything at a limit until it ends, or the visitor wants to see', () => {
    bench.add(...['a', 'b', 'c', 'd'].map((name) => fileCalled(name)));
    bench.end(1, 'limited', 60_000);

    expect(bench.stages).toEqual(['waiting', 'sending', 'sending', 'waiting']);
    expect(nextWake(bench.queue, bench.now)).toBe(bench.now + 60_000);
    bench.tell({ type: 'resumed' });
    expect(bench.stages).toEqual(['sending', 'sending', 'sending', 'waiting']);

    bench.end(1, 'limited', 60_000);
    bench.wait();
    expect(bench.stages).toEqual(['sending', 'sending', 'sending', 'waiting']);
  });

  it.each(['paused', 'offline'] as const)('stops what is on its way when %s, and goes on after', (type) => {
    bench.add(...['a', 'b', 'c', 'd'].map((name) => fileCalled(name)));
    bench.tell({ type });
    expect(bench.underWay.size).toBe(0);
    expect(nextWake(bench.queue, bench.now)).toBeNull();

    bench.tell({ type: type === 'paused' ? 'resumed' : 'online' });

    expect([...bench.underWay.values()]).toEqual([1, 2, 3]);
  });

  it('tries by itself what failed for want of a connection, once there is one', () => {
    bench.add(fileCalled('a'), fileCalled('b'));
    bench.end(2, 'refused');
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      bench.end(1, 'stumbled');
      bench.wait();
    }
    bench.end(1, 'stumbled');

    bench.tell({ type: 'online' });

    expect(bench.stages).toEqual(['sending', 'failed']);
  });

  it('waits for the login where the session has ended', () => {
    bench.add(fileCalled('a'), fileCalled('b'));
    bench.end(1, 'loggedOut');
    bench.end(2, 'loggedOut');
    expect(bench.queue.logInPath).toBe('/login');
    expect(nextWake(bench.queue, bench.now)).toBeNull();

    bench.tell({ type: 'resumed' });

    expect(bench.stages).toEqual(['sending', 'sending']);
  });

  it('has the service delete what is taken off the page, before or after it has arrived', () => {
    bench.add(fileCalled('a'), fileCalled('b'));
    bench.end(1, 'uploaded');
    const [attempt = 0] = bench.underWay.keys();
    bench.tell({ type: 'removed', id: 1 });
    bench.tell({ type: 'removed', id: 2 });
    expect(bench.underWay.size).toBe(0);

    bench.tell({ type: 'uploaded', id: 2, attempt, media: mediaCalled('late') });

    expect(bench.discarded).toEqual(['m1', 'late']);
    expect(bench.queue.items).toEqual([]);
  });

  it('keeps what is posted', () => {
    bench.add(fileCalled('a'), fileCalled('b'));
    bench.end(1, 'uploaded');
    bench.tell({ type: 'posted', ids: [1] });
    expect(bench.stages).toEqual(['sending']);
    expect(bench.discarded).toEqual([]);
  });

  it('takes an answer that came although its attempt was given up, since the file is there', () => {
    bench.add(fileCalled('a'));
    const [attempt = 0] = bench.underWay.keys();
    bench.tell({ type: 'paused' });
    bench.tell({ type: 'resumed' });

    bench.tell({ type: 'uploaded', id: 1, attempt, media: mediaCalled('m1') });

    expect(bench.stages).toEqual(['uploaded']);
    expect(bench.underWay.size).toBe(0);
  });
});

describe('any queue, whatever happens', () => {
  const indexes = fc.nat({ max: 20 });
  const happening = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), name: fc.nat({ max: 12 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'uploaded' as const,
          'refused' as const,
          'stumbled' as const,
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
        do: fc.constantFrom('remove' as const, 'move' as const, 'retry' as const, 'stray' as const),
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

  /** What was taken in by the service, by the slugs that were told. */
  const taken = new Set<string>();

  const act = (bench: Bench, it: Happening): void => {
    const pick = (index: number): number | undefined =>
      bench.queue.items[index % Math.max(1, bench.queue.items.length)]?.id;
    switch (it.do) {
      case 'add':
        return bench.add(fileCalled(`file ${it.name}`, it.name * 10));
      case 'remove': {
        const id = pick(it.index);
        return id === undefined ? undefined : bench.tell({ type: 'removed', id });
      }
      case 'move': {
        const id = pick(it.index);
        return id === undefined ? undefined : bench.tell({ type: 'moved', id, to: it.to });
      }
      case 'retry': {
        const id = pick(it.index);
        return id === undefined ? undefined : bench.tell({ type: 'retried', id, key: `again ${bench.now}` });
      }
      case 'stray':
        // An attempt that never was, or is over.
        return bench.tell({ type: 'stumbled', id: it.index, attempt: -1, afterMs: 1 });
      case 'pause':
        return bench.tell({ type: 'paused' });
      case 'resume':
        return bench.tell({ type: 'resumed' });
      case 'offline':
      case 'online':
        return bench.tell({ type: it.do });
      case 'wait':
        bench.now += it.ms;
        return bench.tell({ type: 'time' });
      default: {
        const ids = [...bench.underWay.values()];
        const id = ids[it.index % Math.max(1, ids.length)];
        if (id === undefined) return;
        if (it.do === 'uploaded') taken.add(`m${id}`);
        return bench.end(id, it.do, it.afterMs);
      }
    }
  };

  const assertSound = (bench: Bench): void => {
    const { items, paused, online, logInPath, limitedUntil, quietUntil } = bench.queue;
    const sending = items.flatMap(({ id, stage }) => (stage.name === 'sending' ? [[stage.attempt, id]] : []));
    // What the page shows as on its way is on its way, and nothing else is.
    expect(new Map(sending as [number, number][])).toEqual(bench.underWay);
    expect(sending.length).toBeLessThanOrEqual(AT_ONCE);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ file }) => file.name)).size).toBe(items.length);
    if (paused || !online) expect(sending).toEqual([]);
    const isFree = !paused && online && logInPath === null && Math.max(limitedUntil, quietUntil) <= bench.now;
    const due = items.filter(({ stage }) => stage.name === 'waiting' && stage.notBefore <= bench.now);
    // No place is left empty while a file could have it.
    if (isFree && due.length > 0) expect(sending.length).toBe(AT_ONCE);
    // What waits for a time is woken.
    if (!paused && online && logInPath === null && sending.length === 0 && due.length < items.length) {
      const isWaiting = items.some(({ stage }) => stage.name === 'waiting');
      expect(nextWake(bench.queue, bench.now) !== null).toBe(isWaiting);
    }
    // The service keeps what the page shows, and nothing that was taken off it.
    const shown = items.flatMap(({ stage }) => (stage.name === 'uploaded' ? [stage.media.slug] : []));
    expect(new Set([...shown, ...bench.discarded])).toEqual(taken);
    expect(shown.filter((slug) => bench.discarded.includes(slug))).toEqual([]);
  };

  it('keeps its promises', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        taken.clear();
        const bench = new Bench();
        for (const it of happenings) {
          act(bench, it);
          assertSound(bench);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('brings everything up in the end, once nothing stands in its way', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        taken.clear();
        const bench = new Bench();
        for (const it of happenings) act(bench, it);
        bench.tell({ type: 'online' });
        bench.tell({ type: 'resumed' });
        for (const { id } of bench.queue.items) bench.tell({ type: 'retried', id, key: `last ${id}` });
        for (let rounds = 0; bench.underWay.size > 0; rounds++) {
          expect(rounds).toBeLessThan(200);
          for (const id of [...bench.underWay.values()]) bench.end(id, 'uploaded');
        }
        // Files of 0 bytes are beyond help.
        const rest = bench.queue.items.filter(({ stage }) => stage.name !== 'uploaded');
        expect(rest.every(({ file }) => file.size === 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('sends one file under one key, until a refused one is tried again by hand', () => {
    fc.assert(
      fc.property(
        fc.array(
          happening.filter((it) => it.do !== 'retry'),
          { maxLength: 60 },
        ),
        (happenings) => {
          taken.clear();
          const bench = new Bench();
          for (const it of happenings) act(bench, it);
          for (const { id, key } of bench.sentAt) expect(key).toBe(`key-${id}`);
        },
      ),
    );
  });
});
