import { timeBudget, writtenBudget } from './time-budget';

const still = {
  kind: 'image' as const,
  format: 'jpeg',
  width: 4000,
  height: 3000,
  frames: 1,
  duration: null,
};

describe('the time that a file may take', () => {
  it.each([
    ['a photograph as quick work', still, 'quick' as const, 12_400],
    ['a photograph as long work', still, 'long' as const, 26_000],
    ['a picture of 100 megapixels', { ...still, width: 10_000, height: 10_000 }, 'long' as const, 70_000],
    ['an SVG, whatever its size', { ...still, format: 'svg' }, 'long' as const, 10_000],
    ['a small animation', { ...still, width: 320, height: 240, frames: 30 }, 'quick' as const, 10_461],
    ['the largest animation', { ...still, width: 1000, height: 1000, frames: 250 }, 'long' as const, 180_000],
    ['a video of ten seconds', { ...still, kind: 'video' as const, duration: 10 }, 'long' as const, 480_000],
    [
      'an animation whose header says that it never ends',
      { ...still, frames: 100_000 },
      'quick' as const,
      180_000,
    ],
    [
      'a video whose header says that it lasts a year',
      { ...still, kind: 'video' as const, duration: 3e7 },
      'long' as const,
      1_500_000,
    ],
  ])('of %s', (_, media, lane, milliseconds) => {
    expect(timeBudget(media, lane).timeLimitMs).toBe(milliseconds);
  });
});

describe('the time by the clock on a busy machine', () => {
  const photograph = { ...still, height: 2500 };

  it.each([
    ['a photograph as quick work', photograph, 'quick' as const, 12_000, 100_000],
    ['a photograph for which a reader waits', photograph, 'interactive' as const, 12_000, 12_000],
    ['a photograph as long work', photograph, 'long' as const, 25_000, 250_000],
    ['alternatives of a photograph', photograph, 'idle' as const, 25_000, 250_000],
    ['a video', { ...photograph, kind: 'video' as const, duration: 10 }, 'long' as const, 480_000, 1_500_000],
  ])('of %s', (_, media, lane, timeLimitMs, clockLimitMs) => {
    expect(timeBudget(media, lane)).toEqual({ timeLimitMs, clockLimitMs });
  });
});

describe('the disk space that a file may use', () => {
  const photograph = { kind: 'image' as const, width: 4000, height: 3000, duration: null, bytes: 5 << 20 };
  const video = { ...photograph, kind: 'video' as const, duration: 10 };
  const MIB = 1024 * 1024;

  it.each([
    ['a photograph', photograph, 404],
    ['a picture whose header says that it is a kilometre wide', { ...photograph, width: 1e7 }, 1411],
    ['a video of ten seconds', video, 291],
    ['a video whose header says that it lasts a year', { ...video, duration: 3e7 }, 4016],
  ])('is right for %s', (_, media, mebibytes) => {
    expect(Math.ceil(writtenBudget(media) / MIB)).toBe(mebibytes);
  });
});
