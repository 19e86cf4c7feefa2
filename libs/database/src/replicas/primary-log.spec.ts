import { PrimaryLog } from './primary-log';

describe('PrimaryLog', () => {
  const log = (...marks: [at: number, position: number][]): PrimaryLog => {
    const made = new PrimaryLog();
    for (const [at, position] of marks) made.note(at, position);
    return made;
  };

  it('knows nothing before the first mark', () => {
    expect(log().asOf(1000)).toBeNull();
    expect(log().since).toBeNull();
  });

  it('dates a replica by the latest position that it has passed', () => {
    const primary = log([1000, 10], [2000, 20], [3000, 30]);
    expect([9, 10, 15, 29, 30, 99].map((position) => primary.asOf(position))).toEqual([
      null,
      1000,
      1000,
      2000,
      3000,
      3000,
    ]);
    expect(primary.since).toBe(1000);
  });

  it('treats a replica of an idle primary as up to date', () => {
    expect(log([1000, 10], [2000, 10], [90_000, 10]).asOf(10)).toBe(90_000);
  });

  it('forgets its marks when the log of another primary is shorter', () => {
    const primary = log([1000, 10], [2000, 20], [3000, 15]);
    expect(primary.asOf(15)).toBe(3000);
    expect(primary.asOf(14)).toBeNull();
  });

  it('keeps the marks of ten minutes', () => {
    const primary = log(...Array.from({ length: 700 }, (_, n): [number, number] => [n * 1000, n]));
    expect(primary.asOf(99)).toBeNull();
    expect(primary.asOf(100)).toBe(100_000);
    expect(primary.since).toBe(100_000);
  });
});
