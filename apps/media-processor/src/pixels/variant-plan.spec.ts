import { fitLongestEdge, planVariants } from './variant-plan';

const served = (width: number, height: number, originalServes: boolean): string =>
  Object.entries(planVariants({ width, height }, originalServes).servedBy)
    .map(([size, by]) => `${size}:${by}`)
    .join(' ');

describe('planVariants', () => {
  it('makes all sizes of a large image, largest first', () => {
    expect(planVariants({ width: 4000, height: 3000 }, true).made).toEqual([
      { size: 'xl', width: 1920, height: 1440 },
      { size: 'lg', width: 1280, height: 960 },
      { size: 'ml', width: 960, height: 720 },
      { size: 'md', width: 640, height: 480 },
      { size: 'sm', width: 320, height: 240 },
      { size: 'xs', width: 160, height: 120 },
    ]);
  });

  // Promise [files]: Images get up to five sizes, with longest edges of 160 to 1920 pixels (beyond 2 : 1, twice
  // the shortest edge counts instead), and are never enlarged.
  it('serves sizes that are not smaller than the source with the original', () => {
    expect(served(640, 480, true)).toBe('xs:xs sm:sm md:original lg:original xl:original');
    expect(served(641, 480, true)).toBe('xs:xs sm:sm md:md lg:original xl:original');
    expect(served(100, 100, true)).toBe('xs:original sm:original md:original lg:original xl:original');
  });

  it("serves them with one picture of the source’s own dimensions if the original can't be served", () => {
    expect(served(640, 480, false)).toBe('xs:xs sm:sm md:md lg:md xl:md');
    expect(planVariants({ width: 640, height: 480 }, false).made[0]).toEqual({
      size: 'md',
      width: 640,
      height: 480,
    });
    expect(served(9, 9, false)).toBe('xs:xs sm:xs md:xs lg:xs xl:xs');
  });

  it('keeps at least one pixel for the most extreme shapes', () => {
    expect(fitLongestEdge({ width: 1, height: 20_000 }, 160)).toEqual({ width: 1, height: 160 });
    expect(fitLongestEdge({ width: 20_000, height: 30 }, 160)).toEqual({ width: 160, height: 1 });
  });
});
