import { curveOf, LIGHT } from './gain-curve';

describe('the curve of a gain map', () => {
  it('of Apple multiplies by 1 + (headroom − 1) × the map’s light, and at half strength by half of this gain', () => {
    const linear = { kind: 'linear', headroom: 5 } as const;
    const factorsAt = (strength: number): number[] => {
      const { before, after, factors } = curveOf(linear, 0, strength);
      expect([before, after]).toEqual([0, 0]);
      return [0, 128, 255].map((value) => factors[value]!);
    };
    const middle = LIGHT[128]!;
    expect(middle).toBeCloseTo(0.216, 3);
    expect(factorsAt(1)).toEqual([1, expect.closeTo(1 + 4 * middle), 5]);
    expect(factorsAt(1 / 2)).toEqual([1, expect.closeTo(1 + 2 * middle), 3]);
  });
});
