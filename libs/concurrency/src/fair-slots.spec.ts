import { setImmediate as turn } from 'node:timers/promises';
import { FairSlots } from './fair-slots';

/** Tasks that end on request, and the order in which they began. */
class Tasks {
  readonly began: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly slots: FairSlots) {}

  start(caller: string, name: string): Promise<void> {
    return this.slots.run(caller, () => {
      this.began.push(name);
      return new Promise((resolve) => this.ends.set(name, resolve));
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await turn();
  }
}

describe('FairSlots', () => {
  it('never gives a caller the last free place', async () => {
    const tasks = new Tasks(new FairSlots(2));
    for (const name of ['a1', 'a2', 'a3']) void tasks.start('a', name);
    await turn();
    expect(tasks.began).toEqual(['a1']);
    void tasks.start('b', 'b1');
    await turn();
    expect(tasks.began).toEqual(['a1', 'b1']);
    await tasks.end('a1');
    expect(tasks.began).toEqual(['a1', 'b1', 'a2']);
  });

  it('lets callers take turns, however many tasks one of them has', async () => {
    const tasks = new Tasks(new FairSlots(2));
    for (let i = 1; i <= 50; i++) void tasks.start('a', `a${i}`);
    for (const caller of ['b', 'c', 'd']) void tasks.start(caller, `${caller}1`);
    await turn();
    for (const name of ['b1', 'a1', 'c1', 'd1']) await tasks.end(name);
    expect(tasks.began.slice(0, 5)).toEqual(['a1', 'b1', 'c1', 'a2', 'd1']);
  });

  it('runs no more tasks at a time than there are places, and frees the places of tasks that fail', async () => {
    const slots = new FairSlots(3);
    let [running, most] = [0, 0];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) =>
        slots.run(`caller ${i % 5}`, async () => {
          most = Math.max(most, ++running);
          await turn();
          running--;
          if (i % 3 === 0) throw new Error('failed');
        }),
      ),
    );
    expect(most).toBe(3);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    expect(await slots.run('caller 0', async () => 'free again')).toBe('free again');
  });
});
