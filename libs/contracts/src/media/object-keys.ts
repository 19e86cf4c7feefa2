import type { VariantName } from './variant-size';

/** Object keys are a function of the slug alone, so that making a variant twice changes nothing. */
export const objectKeys = {
  /** Prefixes of which every key has one. */
  roots: ['f/', 'frames/'],
  original: (slug: string, ext: string): string => `f/${slug}.${ext}`,
  variant: (slug: string, name: VariantName, ext: string): string => `f/${slug}_${name}.${ext}`,
  /** A picture that moderation looks at; never served. */
  moderationFrame: (slug: string, index: number): string => `frames/${slug}/${index}.jpg`,
  /** Prefixes that hold every object of one media: its original and variants, its moderation frames. */
  ofMedia: (slug: string): readonly string[] => [`f/${slug}.`, `f/${slug}_`, `frames/${slug}/`],
} as const;
