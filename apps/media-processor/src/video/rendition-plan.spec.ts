import type { VideoFacts } from './probe';
import { planRenditions } from './rendition-plan';

const phone: VideoFacts = {
  stream: 0,
  codec: 'h264',
  profile: 'High',
  pixelFormat: 'yuv420p',
  stored: { width: 1280, height: 720 },
  displayed: { width: 1280, height: 720 },
  turned: false,
  squarePixels: true,
  interlaced: false,
  alpha: null,
  frameRate: 30,
  colour: { matrix: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' },
  audio: { stream: 1, codec: 'aac', channels: 2, sampleRate: 48_000 },
  isPlain: true,
  pace: 'even',
  rest: null,
  duration: 10,
};

const dimensions = (width: number, height: number): Pick<VideoFacts, 'stored' | 'displayed'> => ({
  stored: { width, height },
  displayed: { width, height },
});

describe('planRenditions', () => {
  it('copies a web-safe source for its own size, and encodes the smaller sizes', () => {
    const plan = planRenditions(phone, 'mp4');
    expect(plan.copied).toEqual({ size: 'lg', width: 1280, height: 720 });
    expect(plan.encoded).toEqual([
      { size: 'md', width: 854, height: 480 },
      { size: 'sm', width: 640, height: 360 },
      { size: 'xs', width: 426, height: 240 },
    ]);
    expect(plan.servedBy).toEqual({ xs: 'xs', sm: 'sm', md: 'md', lg: 'lg', xl: 'lg' });
  });

  // Promise [files]: A video gets up to five sizes, of 240 to 1080 lines on its shorter edge, and is never
  // enlarged.
  it('encodes all five sizes of a larger source, and copies none', () => {
    const plan = planRenditions({ ...phone, ...dimensions(3840, 2160) }, 'mp4');
    expect(plan.copied).toBeNull();
    expect(plan.encoded[0]).toEqual({ size: 'xl', width: 1920, height: 1080 });
    expect(plan.encoded).toHaveLength(5);
  });

  it('counts the shorter edge as lines', () => {
    const plan = planRenditions({ ...phone, ...dimensions(1080, 1920), codec: 'hevc' }, 'mov');
    expect(plan.encoded.map(({ size, width, height }) => [size, width, height])).toEqual([
      ['xl', 1080, 1920],
      ['lg', 720, 1280],
      ['md', 480, 854],
      ['sm', 360, 640],
      ['xs', 240, 426],
    ]);
  });

  it('encodes at the source’s own lines if it lies between two sizes, with even edges', () => {
    const plan = planRenditions({ ...phone, ...dimensions(801, 601), codec: 'vp9' }, 'matroska');
    expect(plan.encoded[0]).toEqual({ size: 'lg', width: 800, height: 600 });
    expect(plan.servedBy.xl).toBe('lg');
  });

  it('never goes below two pixels', () => {
    const [tiny] = planRenditions({ ...phone, ...dimensions(1, 1), codec: 'vp8' }, 'matroska').encoded;
    expect(tiny).toEqual({ size: 'xs', width: 2, height: 2 });
    const plan = planRenditions({ ...phone, ...dimensions(4000, 300), codec: 'vp8' }, 'matroska');
    expect(plan.encoded.at(-1)).toEqual({ size: 'xs', width: 3200, height: 240 });
  });

  it.each<[string, Partial<VideoFacts>, string]>([
    ['another container', {}, 'matroska'],
    ['another codec', { codec: 'hevc' }, 'mp4'],
    ['ten bits', { pixelFormat: 'yuv420p10le', profile: 'High 10' }, 'mp4'],
    ['full colour', { pixelFormat: 'yuv444p', profile: 'High 4:4:4 Predictive' }, 'mp4'],
    ['rotation', { turned: true }, 'mp4'],
    ['stretched pixels', { squarePixels: false }, 'mp4'],
    ['fields', { interlaced: true }, 'mp4'],
    ['HDR', { colour: { ...phone.colour, transfer: 'arib-std-b67' } }, 'mp4'],
    [
      'sound that browsers lack',
      { audio: { stream: 1, codec: 'ac3', channels: 6, sampleRate: 48_000 } },
      'mp4',
    ],
    ['a high frame rate', { frameRate: 120 }, 'mp4'],
    ['an edit that cuts', { isPlain: false }, 'mp4'],
    ['odd edges', dimensions(1281, 721), 'mp4'],
  ])('encodes a source with %s', (_, difference, format) => {
    expect(planRenditions({ ...phone, ...difference }, format).copied).toBeNull();
  });

  it('copies a source without sound', () => {
    expect(planRenditions({ ...phone, audio: null }, 'mov').copied?.size).toBe('lg');
  });
});
