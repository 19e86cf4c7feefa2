import { Random } from '@vitrine/demo/random';
import { median } from '@vitrine/bench';
import { driftOf, theilSenSlope } from './drift';

const tolerance = { absolute: 10, relative: 0.1 };
const series = (length: number, value: (i: number) => number): number[] =>
  Array.from({ length }, (_, i) => value(i));

describe('drift', () => {
  const random = new Random(7);
  const noise = (): number => random.integer(-20, 20);

  it('is not found if values only vary', () => {
    expect(
      driftOf(
        series(180, () => 200 + noise()),
        tolerance,
      ).isGrowing,
    ).toBe(false);
  });

  it('is not found if values rise only during the warm-up', () => {
    expect(
      driftOf(
        series(180, (i) => Math.min(i, 50) * 10 + noise()),
        tolerance,
      ).isGrowing,
    ).toBe(false);
  });

  it('is not found in saw teeth or in a single spike', () => {
    expect(
      driftOf(
        series(180, (i) => 200 + (i % 15) * 10),
        tolerance,
      ).isGrowing,
    ).toBe(false);
    expect(
      driftOf(
        series(180, (i) => (i === 170 ? 90_000 : 200) + noise()),
        tolerance,
      ).isGrowing,
    ).toBe(false);
  });

  it('is found for a leak below the noise of single samples', () => {
    expect(
      driftOf(
        series(180, (i) => 200 + i * 0.6 + noise()),
        tolerance,
      ).isGrowing,
    ).toBe(true);
    expect(
      driftOf(
        series(180, (i) => i),
        tolerance,
      ),
    ).toMatchObject({ second: 89.5, last: 149.5, growth: 119 });
  });

  it('is measured by medians', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(theilSenSlope([1, 3, 5, 7, 900])).toBe(2);
  });
});
