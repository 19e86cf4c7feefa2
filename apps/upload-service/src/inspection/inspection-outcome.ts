import type { Inspection } from '@vitrine/formats';

/**
 * The result of an inspection. `sentence` tells the uploader which variant of an accepted type is not supported. `problem` is
 * logged; it is set if the parser, not the file, may be wrong.
 */
export type InspectionOutcome =
  | { readonly inspection: Inspection }
  | { readonly refusal: 'unsupported'; readonly sentence: string }
  | { readonly refusal: 'wrongType' | 'unreadable' | 'overran'; readonly problem?: string };
