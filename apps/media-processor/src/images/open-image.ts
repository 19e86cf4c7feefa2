import sharp, { type Sharp, type SharpOptions } from 'sharp';

/** decisions §4: pixels of one picture, and of all frames of an animation together. */
export const MAX_PIXELS = 100_000_000;
export const MAX_ANIMATION_PIXELS = 250_000_000;

/** SVG from memory alone: given by path, its loader reads the neighbours that the file points at. */
const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
  'VipsForeignLoadSvgBuffer',
];

/** Leaves libvips only the loaders of the formats that we hand to it, and one thread per job. */
export function restrictLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
}

/** Pixels of an inch: in CSS, and where libvips draws without being told. */
const CSS_INCH = 96;
const LIBVIPS_INCH = 72;

/**
 * How an SVG is opened to be drawn: points, inches and millimetres in it are as long as in browsers. libvips makes the
 * whole drawing larger by as much, unless it is resized: then it is drawn at that size.
 */
export const AS_DRAWING = {
  density: CSS_INCH,
  limitInputPixels: Math.ceil(MAX_PIXELS * (CSS_INCH / LIBVIPS_INCH) ** 2),
} as const;

type OpenOptions = Pick<SharpOptions, 'ignoreIcc' | 'density' | 'limitInputPixels'>;

/** What libvips reads: a path, or a whole file in memory. */
export type ImageInput = string | Buffer;

/** Opens a stranger's picture: its orientation applied, damage an error, its pixels bounded. */
export const openStill = (input: ImageInput, options: OpenOptions = {}): Sharp =>
  open(input, { limitInputPixels: MAX_PIXELS, ...options });

/** Opens every frame of a stranger's animation, one below the other. */
export const openAnimation = (input: ImageInput): Sharp =>
  open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, pages: -1 });

/** Opens some frames of an uploaded animation, one below the other. */
export const openFrames = (input: ImageInput, page: number, pages: number): Sharp =>
  open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, page, pages });

/** Opens one frame of a stranger's animation. */
export const openFrame = (input: ImageInput, page: number): Sharp =>
  open(input, { limitInputPixels: MAX_PIXELS, page });

function open(input: ImageInput, options: SharpOptions): Sharp {
  return sharp(input, { autoOrient: true, failOn: 'error', sequentialRead: true, ...options });
}
