import { sourcesOf } from './picture';
import { clockTime, rowsClass } from './tile';

const urls = {
  original: 'http://cdn.test/original',
  thumb: 'http://cdn.test/thumb',
  xs: 'http://cdn.test/xs',
  sm: 'http://cdn.test/sm',
  md: 'http://cdn.test/md',
  lg: 'http://cdn.test/lg',
  xl: 'http://cdn.test/xl',
};
const image = {
  type: 'image/jpeg',
  ext: 'jpg',
  size: 900_000,
  animated: false,
  processed: true,
  processing_error: null,
  urls,
};

describe('sourcesOf', () => {
  it('lists the sizes with their real widths, for landscapes and portraits', () => {
    expect(sourcesOf({ ...image, width: 4000, height: 3000 })?.srcset).toBe(
      'http://cdn.test/xs 160w, http://cdn.test/sm 320w, http://cdn.test/md 640w, http://cdn.test/lg 1280w, http://cdn.test/xl 1920w',
    );
    expect(sourcesOf({ ...image, width: 1000, height: 2000 })?.srcset).toContain('http://cdn.test/xl 960w');
  });

  it('adds the step between two sizes if it exists', () =>
    expect(
      sourcesOf({ ...image, urls: { ...urls, ml: 'http://cdn.test/ml' }, width: 1280, height: 900 })?.srcset,
    ).toContain('http://cdn.test/md 640w, http://cdn.test/ml 960w, http://cdn.test/lg 1280w'));

  it('adds the original with its width, unless it is too large or browsers cannot show it', () => {
    const screenshot = { ...image, width: 1080, height: 12_000 };
    expect(sourcesOf(screenshot, true)?.srcset).toContain(
      'http://cdn.test/xl 960w, http://cdn.test/original 1080w',
    );
    for (const other of [
      { ext: 'heic' },
      { size: 9_000_000 },
      { animated: true },
      { width: 800, height: 900 },
    ])
      expect(sourcesOf({ ...screenshot, ...other }, true)?.srcset).not.toContain('original');
  });

  it('leaves out sizes that are the same file as the original', () => {
    expect(sourcesOf({ ...image, width: 500, height: 400 })?.srcset).toBe(
      'http://cdn.test/xs 160w, http://cdn.test/sm 320w, http://cdn.test/md 500w',
    );
    expect(sourcesOf({ ...image, width: 160, height: 10 })?.srcset).toBe('http://cdn.test/xs 160w');
    expect(sourcesOf({ ...image, width: 1, height: 3000 })?.srcset).toContain('http://cdn.test/xs 1w');
  });

  it('returns the still of a video, and what exists of an unprocessed picture', () => {
    const video = { ...image, type: 'video/mp4', width: 1920, height: 1080 };
    expect(sourcesOf(video)).toEqual({ src: 'http://cdn.test/thumb' });
    expect(sourcesOf({ ...video, processed: false })).toBeNull();
    const fresh = { ...image, width: 10, height: 10, processed: false };
    expect(sourcesOf(fresh)).toEqual({ src: 'http://cdn.test/original' });
    expect(sourcesOf({ ...fresh, processing_error: 'It is cut short.' })).toBeNull();
  });
});

describe('rowsClass', () => {
  it.each([
    [1000, 1000, 'r20'],
    [1600, 1000, 'r13'],
    [1000, 1500, 'r30'],
    [10_000, 1, 'r9'],
    [1, 10_000, 'r36'],
    [0, 0, 'r14'],
  ])('returns the class for %d × %d pixels: %s', (width, height, expected) =>
    expect(rowsClass({ width, height })).toBe(expected),
  );

  it('returns the default class without a picture', () => expect(rowsClass(null)).toBe('r14'));
});

describe('clockTime', () => {
  it.each([
    [0, '0:00'],
    [0.4, '0:00'],
    [5, '0:05'],
    [59.6, '1:00'],
    [754, '12:34'],
    [3600, '1:00:00'],
    [36_061, '10:01:01'],
  ])('formats %d s as %s', (seconds, expected) => expect(clockTime(seconds)).toBe(expected));
});
