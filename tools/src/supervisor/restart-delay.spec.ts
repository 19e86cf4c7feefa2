import { restartDelayMs } from './restart-delay';

describe('restartDelayMs', () => {
  it('doubles from half a second to at most 30 s', () => {
    const delays: number[] = [];
    for (let death = 0; death < 9; death++) delays.push(restartDelayMs(delays.at(-1), 1_000));

    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('begins anew after a stable minute', () => {
    expect(restartDelayMs(30_000, 59_999)).toBe(30_000);
    expect(restartDelayMs(30_000, 60_000)).toBe(500);
  });
});
