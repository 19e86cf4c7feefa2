import { latenciesOf, median, percentile } from './statistics';

describe('percentile', () => {
  it('uses the nearest rank', () => {
    const values = [5, 1, 4, 2, 3];

    expect(percentile(values, 0.5)).toBe(3);
    expect(percentile(values, 0.95)).toBe(5);
    expect(percentile(values, 0)).toBe(1);
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle values', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });
});

describe('latenciesOf', () => {
  it('summarises durations with one decimal', () => {
    expect(latenciesOf([1.26, 3, 2])).toEqual({ count: 3, p50: 2, p95: 3, p99: 3 });
    expect(latenciesOf([1.26])).toEqual({ count: 1, p50: 1.3, p95: 1.3, p99: 1.3 });
    expect(latenciesOf([])).toEqual({ count: 0, p50: 0, p95: 0, p99: 0 });
  });
});
