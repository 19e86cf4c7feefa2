import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@vitrine/testing';
import { Client } from 'pg';
import { LockWatch } from './migrate-lock-watch';

describe('LockWatch', () => {
  it('queues no checks if each takes longer than the interval', async () => {
    let looks = 0;
    const slow = Object.assign(new Client(), {
      query: () => {
        looks++;
        return pause(200, { rows: [] });
      },
    });
    const watching = new LockWatch(slow, () => undefined).start(new Client(), '9999-long');
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(4));

    await watching.stop();

    expect(looks).toBeLessThanOrEqual(5);
  });
});
