import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ceilingsOf, coresOf, PARTS, sizeOf } from './model';
import { sizesTable } from './table';

const GUIDE = join(__dirname, '../../../../docs/guides/scaling.md');

describe('sizes', () => {
  it('stand in the guide as they are computed', () => {
    expect(readFileSync(GUIDE, 'utf8')).toContain(sizesTable());
  });

  it('grow with the load, and never have fewer than two pods', () => {
    const load = { name: 'one', reads: 800, uploads: 2, writes: 30 };
    const double = { name: 'two', reads: 1600, uploads: 4, writes: 60 };
    for (const part of PARTS) expect(coresOf(double)[part]).toBeCloseTo(2 * coresOf(load)[part]);
    const nothing = sizeOf({ name: 'none', reads: 0, uploads: 0, writes: 0 });
    expect(Object.values(nothing.pods)).toEqual([2, 2, 2, 2, 2]);
    expect(ceilingsOf(double)[0]?.multiple).toBeCloseTo(ceilingsOf(load)[0]!.multiple / 2);
  });
});
