import type { Ratio, Size } from '../displayed-size';

/** What a codec's own header tells of the picture: pixels after cropping, and the shape of one. */
export interface Picture {
  readonly size: Size;
  readonly aspect: Ratio;
}
