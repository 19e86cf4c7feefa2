import type { Ratio, Size } from '../../facts/displayed-size';

/** The size in a codec's own header: pixels after cropping, and the aspect ratio of a pixel. */
export interface Picture {
  readonly size: Size;
  readonly aspect: Ratio;
}
