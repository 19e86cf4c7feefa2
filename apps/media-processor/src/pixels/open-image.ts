import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { MAX_ANIMATION_PIXELS, MAX_PIXELS } from './pixel-limits';

const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
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

type OpenOptions = Pick<SharpOptions, 'autoOrient' | 'ignoreIcc' | 'page'>;

/** The inputs of libvips: a path, or a whole file in memory. */
export type ImageInput = string | Buffer;

/** Opens an uploaded picture: applies its orientation, treats damage as an error, and limits its pixels. */
export const openStill = (input: ImageInput, options: OpenOptions = {}): Sharp =>
  open(input, { limitInputPixels: MAX_PIXELS, ...options });

/** As `openStill`, for a picture of red, green and blue. A resize reduces its finished pixels: see `asDecoded`. */
export const openRgbStill = (input: ImageInput, options: OpenOptions = {}): Sharp =>
  asDecoded(openStill(input, options));

/** Opens every frame of an uploaded animation, one below the other. */
export const openAnimation = (input: ImageInput): Sharp =>
  asDecoded(open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, pages: -1 }));

/** Opens some frames of an uploaded animation, one below the other. */
export const openFrames = (input: ImageInput, page: number, pages: number): Sharp =>
  asDecoded(open(input, { limitInputPixels: MAX_ANIMATION_PIXELS, page, pages }));

/** Opens one frame of an uploaded animation. */
export const openFrame = (input: ImageInput, page: number): Sharp =>
  asDecoded(open(input, { limitInputPixels: MAX_PIXELS, page }));

/**
 * Prevents that the decoders of JPEG and WebP reduce a picture of red, green and blue. They leave coefficients out, or average
 * before they limit values to 0 to 255, so their result can be another picture than the reduced pixels that browsers show.
 * sharp lets decoders reduce unless the pipeline has a colour space. Values of 16 bits become 8 bits, so that sharp applies
 * a profile to sRGB, and not to Display P3.
 */
const asDecoded = (pipeline: Sharp): Sharp => pipeline.pipelineColourspace('srgb');

function open(input: ImageInput, options: SharpOptions): Sharp {
  return sharp(input, { autoOrient: true, failOn: 'error', sequentialRead: true, ...options });
}
