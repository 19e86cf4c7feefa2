import { UnreadableFileError } from '../errors/file-errors';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Ratio {
  readonly num: number;
  readonly den: number;
}

export const SQUARE: Ratio = { num: 1, den: 1 };

const LONGEST_EDGE = 65_535;
const OBLONG = 16;

/**
 * Pixels as displayed. Pixels that aren't square lengthen one edge and shorten none, as HTML requires of browsers. An
 * implausible pixel ratio is ignored. `sideways`: rotated by 90° or 270°.
 */
export function displayedSize(coded: Size, pixelAspect: Ratio = SQUARE, sideways = false): Size {
  const { num, den } = pixelAspect;
  const aspect = num > 0 && den > 0 && num / den <= OBLONG && den / num <= OBLONG ? num / den : 1;
  const width = Math.round(aspect > 1 ? coded.width * aspect : coded.width);
  const height = Math.round(aspect < 1 ? coded.height / aspect : coded.height);
  if (!(width >= 1 && height >= 1 && width <= LONGEST_EDGE && height <= LONGEST_EDGE)) {
    throw new UnreadableFileError('The picture has no plausible size.');
  }
  return sideways ? { width: height, height: width } : { width, height };
}

/** The size in a codec's own header: pixels after cropping, and the aspect ratio of a pixel. */
export interface Picture {
  readonly size: Size;
  readonly aspect: Ratio;
}
