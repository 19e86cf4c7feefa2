import sharp, { type Sharp, type SharpOptions } from 'sharp';

/** Limits of the pixels of one picture, and of all frames of an animation together. */
export const MAX_PIXELS = 100_000_000;
export const MAX_ANIMATION_PIXELS = 250_000_000;

/** SVG only from memory: given a path, its loader reads neighbouring files to which the drawing refers. */
const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
  'VipsForeignLoadSvgBuffer',
];

/**
 * Blocks all loaders of libvips except those of the formats that this service passes to it, and allows one thread for
 * each job.
 */
export function restrictLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
}

/** Pixels of an inch: in CSS, and by libvips' default. */
const CSS_INCH = 96;
const LIBVIPS_INCH = 72;

/**
 * How to open an SVG for drawing: points, inches and millimetres in it are as long as in browsers. libvips enlarges
 * the whole drawing by the same factor, unless it is resized: then it is drawn at that size.
 */
export const AS_DRAWING = {
  density: CSS_INCH,
  limitInputPixels: Math.ceil(MAX_PIXELS * (CSS_INCH / LIBVIPS_INCH) ** 2),
} as const;

type OpenOptions = Pick<SharpOptions, 'autoOrient' | 'ignoreIcc' | 'density' | 'limitInputPixels'>;

/** The inputs of libvips: a path, or a whole file in memory. */
export type ImageInput = string | Buffer;

/** Opens an uploaded picture: applies its orientation, treats damage as an error, and limits its pixels. */
export const openStill = (input: ImageInput, options: OpenOptions = {}): Sharp =>
  open(input, { limitInputPixels: MAX_PIXELS, ...options });

/** Opens every frame of an uploaded animation, one below the other. */
export const openAnimation = (input: ImageInput): Sharp =>
  open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, pages: -1 });

/** Opens some frames of an uploaded animation, one below the other. */
export const openFrames = (input: ImageInput, page: number, pages: number): Sharp =>
  open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, page, pages });

/** Opens one frame of an uploaded animation. */
export const openFrame = (input: ImageInput, page: number): Sharp =>
  open(input, { limitInputPixels: MAX_PIXELS, page });

function open(input: ImageInput, options: SharpOptions): Sharp {
  return sharp(input, { autoOrient: true, failOn: 'error', sequentialRead: true, ...options });
}
