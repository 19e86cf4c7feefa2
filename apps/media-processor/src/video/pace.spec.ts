import { Moments, paceOf } from './pace';

const pace = (times: readonly number[], frameRate = 30, last = 1 / 30): string => {
  const moments = new Moments();
  for (const time of times) moments.add(time, last);
  return paceOf(frameRate, moments);
};

describe('paceOf', () => {
  it.each([
    ['even', 'frames of a steady rate', Array.from({ length: 3000 }, (_, frame) => frame / 60)],
    ['even', 'frames in the order in which they are stored', [0, 0.1, 0.05, 0.2, 0.15]],
    ['even', 'no frames', []],
    ['bursts', 'frames that all go on within a sixtieth', [0, 1 / 120, 2 / 120, 1]],
    ['dense', 'a frame too close that stays', [0, 1 / 120, 1]],
    ['dense', 'a last frame too close that stays', [0, 1, 1 + 1 / 120]],
  ])('is %s for %s', (expected, _, times) => {
    expect(pace(times)).toBe(expected);
  });

  it('is dense for more than sixty frames a second on average', () => {
    expect(pace([0, 1, 2], 61)).toBe('dense');
  });
});
