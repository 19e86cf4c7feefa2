import { bytesAtScore, meanRatio } from './rate-curve';

describe('bytesAtScore', () => {
  const ladder = [
    { bytes: 400, score: 90 },
    { bytes: 100, score: 70 },
    { bytes: 200, score: 80 },
  ];

  it('returns the bytes of a score that is in the ladder', () => {
    expect(bytesAtScore(ladder, 80)).toBeCloseTo(200);
  });

  it('interpolates the logarithm of the bytes', () => {
    expect(bytesAtScore(ladder, 75)).toBeCloseTo(100 * Math.SQRT2);
  });

  it('continues the ladder at both ends', () => {
    expect(bytesAtScore(ladder, 95)).toBeCloseTo(400 * Math.SQRT2);
    expect(bytesAtScore(ladder, 60)).toBeCloseTo(50);
  });

  it('refuses a ladder of one quality', () => {
    expect(() => bytesAtScore(ladder.slice(0, 1), 90)).toThrow('two qualities');
  });
});

describe('meanRatio', () => {
  it('weighs half and double equally', () => {
    expect(meanRatio([0.5, 2])).toBeCloseTo(1);
  });
});
