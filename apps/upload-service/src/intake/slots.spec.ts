import { setImmediate as turn } from 'node:timers/promises';
import { Slots } from './slots';

describe('Slots', () => {
  it('lets so many run at a time, in the order in which they came, and forgets those that fail', async () => {
    const slots = new Slots(2);
    const running = new Set<number>();
    const began: number[] = [];
    let most = 0;
    const tasks = Array.from({ length: 10 }, (_, i) =>
      slots.run(async () => {
        began.push(i);
        running.add(i);
        most = Math.max(most, running.size);
        await turn();
        running.delete(i);
        if (i % 3 === 0) throw new Error('failed');
        return i;
      }),
    );
    const outcomes = await Promise.allSettled(tasks);
    expect(most).toBe(2);
    expect(began).toEqual([...began].sort((a, b) => a - b));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect(await slots.run(async () => 'free again')).toBe('free again');
  });
});
