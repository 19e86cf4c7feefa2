import { hasTooManyPixels } from './intake.rules';

describe('hasTooManyPixels', () => {
  it.each([
    ['a picture of 100 megapixels', { kind: 'image', width: 10_000, height: 10_000, frames: 1 }, false],
    ['a picture just above', { kind: 'image', width: 10_001, height: 10_000, frames: 1 }, true],
    ['an animation of 250 megapixels', { kind: 'image', width: 5000, height: 5000, frames: 10 }, false],
    ['an animation just above', { kind: 'image', width: 5000, height: 5000, frames: 11 }, true],
    ['the largest numbers', { kind: 'image', width: 2 ** 32, height: 2 ** 32, frames: 2 ** 31 }, true],
    [
      'a video, which is decoded picture by picture',
      { kind: 'video', width: 20_000, height: 10_000, frames: 1 },
      false,
    ],
  ] as const)('%s', (_, facts, expected) => expect(hasTooManyPixels(facts)).toBe(expected));
});
