import { objectKeys } from './object-keys';
import type { VariantRecord } from './variant-record';

/** The formats of alternatives by extension, the most compact one first. */
export const ALTERNATIVE_MIME = { avif: 'image/avif', webp: 'image/webp' } as const;
export type AlternativeExtension = keyof typeof ALTERNATIVE_MIME;
export const ALTERNATIVE_EXTENSIONS = ['avif', 'webp'] as const satisfies readonly AlternativeExtension[];

/** An alternative is stored only if it has at most this share of its variant's bytes. */
export const ALTERNATIVE_SHARE = 0.9;

/** The JPEG or PNG of a size from which alternatives are derived: its object and pixels. */
export type AlternativeSource = Pick<VariantRecord, 'key' | 'width' | 'height' | 'bytes'>;

/** A stored copy of a variant in another format, for clients that accept it (docs/adr/0064). */
export interface AlternativeRecord {
  /** The key of the variant's object. */
  readonly of: string;
  readonly key: string;
  readonly ext: AlternativeExtension;
  readonly bytes: number;
}

/** Every alternative that can be made of these variants, by the key of its object. */
export const possibleAlternatives = (
  variants: readonly AlternativeSource[],
): Map<string, { readonly variant: AlternativeSource; readonly ext: AlternativeExtension }> =>
  new Map(
    variants.flatMap((variant) =>
      ALTERNATIVE_EXTENSIONS.map(
        (ext) => [objectKeys.alternative(variant.key, ext), { variant, ext }] as const,
      ),
    ),
  );

/** Whether an object of this number of bytes saves enough to be stored beside a variant. */
export const savesEnough = (bytes: number, variant: Pick<VariantRecord, 'bytes'>): boolean =>
  bytes <= variant.bytes * ALTERNATIVE_SHARE;
