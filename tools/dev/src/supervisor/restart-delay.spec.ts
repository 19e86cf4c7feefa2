import { RestartDelay } from './restart-delay';

it('doubles the delay from half a second to at most 30 s, and starts again after a stable minute', () => {
  const delay = new RestartDelay();

  expect(Array.from({ length: 8 }, () => delay.afterLife(59_999))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect(delay.afterLife(60_000)).toBe(500);
});
