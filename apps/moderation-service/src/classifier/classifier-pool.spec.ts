import { spawn } from 'node:child_process';
import { eventually } from '@vitrine/testing';
import { ClassifierPool, ClassifierPoolError } from './classifier-pool';

/** Doubles numbers; on command it dies, hangs or sends an error. */
const DOUBLING = `
  process.on('message', (input) => {
    if (input === 'die') throw new Error('I was told to die');
    if (input === 'hang') for (;;) {}
    if (input === 'fail') return process.send({ error: 'I was told to fail' });
    process.send({ result: input * 2 });
  });
  process.send('ready');`;

describe('ClassifierPool', () => {
  let pool: ClassifierPool<number | string, number>;
  let spawned: number;
  let deaths: string[];

  function open(
    script: string,
    size: number,
    timeoutMs: number,
    { maxWaiting = 100, restMs = 60_000, startTimeoutMs = 60_000 } = {},
  ): void {
    spawned = 0;
    deaths = [];
    pool = new ClassifierPool({
      spawn: () => {
        spawned++;
        return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      },
      size,
      startTimeoutMs,
      timeoutMs,
      restMs,
      maxWaiting,
      onDeath: (reason) => deaths.push(reason),
    });
  }

  afterEach(() => pool.close());

  it('returns the right result of each job if there are more jobs than children', async () => {
    open(DOUBLING, 2, 10_000);
    const inputs = Array.from({ length: 50 }, (_, index) => index);
    await expect(Promise.all(inputs.map((input) => pool.run(input)))).resolves.toEqual(
      inputs.map((input) => input * 2),
    );
    expect(spawned).toBe(2);
    expect(pool.ready()).toBe(true);
  });

  it('rejects only the job whose child died', async () => {
    open(DOUBLING, 1, 10_000);
    const outcomes = await Promise.allSettled([pool.run(1), pool.run('die'), pool.run(3)]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: expect.any(ClassifierPoolError) },
      { status: 'fulfilled', value: 6 },
    ]);
    expect(deaths).toEqual(['it ended with 1']);
    expect(spawned).toBe(2);
  });

  it('replaces a child that hangs', async () => {
    // Long enough for the next job on a busy machine.
    open(DOUBLING, 1, 3_000);
    const hanging = pool.run('hang');
    const next = pool.run(4);
    await expect(hanging).rejects.toThrow('took too long');
    await expect(next).resolves.toBe(8);
    expect(deaths).toEqual(['its job took too long']);
  });

  it('rejects with the error that a child sends and keeps the child', async () => {
    open(DOUBLING, 1, 10_000);
    await expect(pool.run('fail')).rejects.toThrow('I was told to fail');
    await expect(pool.run(5)).resolves.toBe(10);
    expect(spawned).toBe(1);
  });

  it('rejects a job if too many are waiting', async () => {
    open(DOUBLING, 1, 10_000, { maxWaiting: 2 });
    const accepted = [pool.run(1), pool.run(2)];
    await expect(pool.run(3)).rejects.toThrow('Too many jobs');
    await expect(Promise.all(accepted)).resolves.toEqual([2, 4]);
  });

  it('is not ready and keeps starting children with growing delays while none can start', async () => {
    open(`throw new Error('no model')`, 1, 10_000);
    expect([pool.children, pool.ready()]).toEqual([0, true]);
    const job = pool.run(1).catch((error: unknown) => error);
    await eventually(() => expect(deaths.length).toBeGreaterThanOrEqual(3));
    expect(pool.ready()).toBe(false);
    expect(spawned).toBeLessThan(10);
    await pool.close();
    expect(await job).toBeInstanceOf(ClassifierPoolError);
  });

  it('replaces a child that does not become ready in time', async () => {
    open('setInterval(() => undefined, 1000)', 1, 10_000, { startTimeoutMs: 200 });
    const job = pool.run(1).catch((error: unknown) => error);
    await eventually(() => expect(deaths).toContain('it took too long to get ready'));
    await pool.close();
    expect(await job).toBeInstanceOf(ClassifierPoolError);
  });

  it('starts only as many children as there are jobs', async () => {
    open(DOUBLING, 3, 10_000);
    await expect(pool.run(1)).resolves.toBe(2);
    await expect(pool.run(2)).resolves.toBe(4);
    expect(spawned).toBe(1);
  });

  it('ends a child that has nothing to do and starts one for the next job', async () => {
    open(DOUBLING, 1, 10_000, { restMs: 50 });
    await expect(pool.run(1)).resolves.toBe(2);
    await eventually(() => expect(pool.children).toBe(0));
    expect(pool.ready()).toBe(true);
    await expect(pool.run(2)).resolves.toBe(4);
    expect(spawned).toBe(2);
    expect(deaths).toEqual([]);
  });

  it('rejects jobs in progress when it is closed, and all later jobs', async () => {
    open(DOUBLING, 1, 10_000);
    await pool.run(1);
    const unfinishedJobs = [pool.run('hang'), pool.run(2)].map((job) => job.catch((error: unknown) => error));
    await pool.close();
    for (const outcome of await Promise.all(unfinishedJobs))
      expect(outcome).toBeInstanceOf(ClassifierPoolError);
    await expect(pool.run(3)).rejects.toThrow(ClassifierPoolError);
    expect(deaths).toEqual([]);
  });
});
