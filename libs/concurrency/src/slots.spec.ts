import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Slots } from './slots';

describe('Slots', () => {
  it('starts a task in the same turn of the event loop if a slot is free', async () => {
    const slots = new Slots(1);
    let began = false;
    const task = slots.run(async () => void (began = true));
    expect([began, slots.free]).toEqual([true, 0]);
    await task;
    expect(slots.free).toBe(1);
  });

  it('never runs more tasks than it has slots, starts them in order, and survives failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ turns: fc.integer({ min: 1, max: 3 }), fails: fc.boolean() }), {
          maxLength: 30,
        }),
        async (size, tasks) => {
          const slots = new Slots(size);
          const began: number[] = [];
          let [running, most] = [0, 0];
          const results = await Promise.allSettled(
            tasks.map(({ turns, fails }, index) =>
              slots.run(async () => {
                began.push(index);
                most = Math.max(most, ++running);
                for (let left = turns; left > 0; left--) await turn();
                running--;
                if (fails) throw new Error('failed');
              }),
            ),
          );
          expect(began).toEqual(tasks.map((_, index) => index));
          expect(most).toBe(Math.min(size, tasks.length));
          expect(results.map(({ status }) => status === 'rejected')).toEqual(tasks.map(({ fails }) => fails));
          expect(slots.free).toBe(size);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('rejects a task that found no free slot in time, and gives the slot to the next one', async () => {
    const slots = new Slots(1);
    let end = (): void => undefined;
    const first = slots.run(() => new Promise<void>((resolve) => (end = resolve)));
    const late = { ms: 1, late: () => new Error('no free slot') };
    await expect(slots.run(async () => 'second', late)).rejects.toThrow('no free slot');
    const third = slots.run(async () => 'third', { ...late, ms: 10_000 });
    end();
    await first;
    expect(await third).toBe('third');
    expect(slots.free).toBe(1);
  });

  it('is drained when the last task has ended, waiting tasks included', async () => {
    const slots = new Slots(1);
    await slots.drained();
    const ended: string[] = [];
    const run = (name: string): Promise<void> =>
      slots.run(async () => {
        await turn();
        ended.push(name);
      });
    void run('a');
    void run('b');
    await slots.drained();
    expect(ended).toEqual(['a', 'b']);
  });
});
