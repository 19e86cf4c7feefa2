import {
  IMAGE_EDGE,
  IMAGE_SIZES,
  imageVariantSize,
  type ImageSize,
  type VariantSize,
} from '@vitrine/contracts';

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The source of each size of an image. */
export interface VariantPlan {
  /** Pictures to make, largest first. */
  readonly made: readonly ({ readonly size: ImageSize } & Dimensions)[];
  /** For each size, the size whose picture serves it, or `original` if the source does. */
  readonly servedBy: Readonly<Record<VariantSize, VariantSize | 'original'>>;
}

/** Dimensions of the same shape from which every size can be made. */
export function enlarged({ width, height }: Dimensions): Dimensions {
  const scale = IMAGE_EDGE.xl / Math.min(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Dimensions scaled so that the longest edge is `edge` pixels; never enlarged, never below one pixel. */
export function fitLongestEdge({ width, height }: Dimensions, edge: number): Dimensions {
  const scale = Math.min(1, edge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Plans the sizes of an image of the given displayed dimensions. A size that isn't smaller than the source is served
 * by the original if browsers show it correctly, and otherwise by one re-encoded picture of the source's own
 * dimensions. Only stills get the step `ml`, and only if it is smaller.
 */
export function planVariants(source: Dimensions, originalServes: boolean, isStill = true): VariantPlan {
  const made: ({ size: ImageSize } & Dimensions)[] = [];
  const servedBy = {} as Record<VariantSize, VariantSize | 'original'>;
  let whole: VariantSize | 'original' | undefined = originalServes ? 'original' : undefined;
  for (const size of IMAGE_SIZES) {
    const { width, height } = imageVariantSize(source, size);
    const isSmaller = width < source.width || height < source.height;
    if (size === 'ml') {
      if (isStill && isSmaller) made.unshift({ size, width, height });
      continue;
    }
    servedBy[size] = isSmaller ? size : (whole ??= size);
    if (servedBy[size] === size) made.unshift({ size, width, height });
  }
  return { made, servedBy };
}
