/** A group of cells that look different to visitors, and why. */
export interface KnownDifference {
  readonly names: RegExp;
  readonly reason: string;
}

/**
 * What may differ in this drill. The light and dark parts of these pictures are still the same: `raster-cells` checks it.
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    names: /^(png: .*cICP( of 0910|.* 1[68]$)|png: cICP 9 16|avif: .*colours \d+ 1[68] )/,
    reason: 'Every browser maps the light of HDR (PQ, HLG) to its screen in its own way.',
  },
];
