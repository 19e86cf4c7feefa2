import { SLUG_LENGTH } from '../vocabulary/identifiers';
import type { AlternativeExtension } from './alternative-record';
import type { VariantFileName } from './variant-size';

const SLUG = `[A-Za-z0-9]{${SLUG_LENGTH}}`;
const KEY = new RegExp(`^(?:f/(${SLUG})[._]|frames/(${SLUG})/)`);

/** Names of stored objects. They depend only on the slug, so generating a variant twice changes nothing. */
export const objectKeys = {
  /** Every key starts with one of these prefixes. */
  roots: ['f/', 'frames/'],
  original: (slug: string, ext: string): string => `f/${slug}.${ext}`,
  variant: (slug: string, name: VariantFileName, ext: string): string => `f/${slug}_${name}.${ext}`,
  /**
   * A copy of the variant with this key in another format. An original that serves as a variant always serves as the largest
   * one.
   */
  alternative: (variantKey: string, ext: AlternativeExtension): string =>
    variantKey.replace(/(_[a-z]+)?\.[a-z0-9]+$/, (_, size: string | undefined) => `${size ?? '_xl'}.${ext}`),
  /** A picture for the classifier and for moderators; it is never served. */
  moderationFrame: (slug: string, index: number): string => `frames/${slug}/${index}.jpg`,
  /** Prefixes of all objects of one media item: original, variants and moderation frames. */
  ofMedia: (slug: string): readonly string[] => [`f/${slug}.`, `f/${slug}_`, `frames/${slug}/`],
  /** The slug of the media item that a key belongs to; null for a key of any other form. */
  slugOf: (key: string): string | null => KEY.exec(key)?.slice(1).find(Boolean) ?? null,
} as const;
