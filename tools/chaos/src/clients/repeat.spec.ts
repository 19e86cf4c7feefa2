import { setTimeout as pause } from 'node:timers/promises';
import { repeat } from './repeat';

describe('repeat', () => {
  it('repeats each work until it is stopped', async () => {
    const counts = [0, 0];
    const works = counts.map((_, index) => async () => {
      counts[index]!++;
      await pause(1);
    });
    const stop = repeat(...works);
    while (counts.some((count) => count < 3)) await pause(1);
    await stop();
    const stopped = [...counts];
    await pause(5);

    expect(counts).toEqual(stopped);
  });

  it('waits for the other works when one has thrown, and then throws its error', async () => {
    const first = new Error('the first');
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    let ended = false;
    const stop = repeat(
      () => Promise.reject(first),
      async () => {
        await slow;
        ended = true;
        throw new Error('the second');
      },
    );
    const stopping = stop().catch((error: unknown) => ({ error, ended }));
    await pause(5);
    release();

    expect(await stopping).toEqual({ error: first, ended: true });
  });
});
