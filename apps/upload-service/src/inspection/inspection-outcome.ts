import type { Inspection } from '@vitrine/formats';

/** The result of an inspection. `problem` is logged; it is set if the parser, not the file, may be wrong. */
export type InspectionOutcome =
  | { readonly inspection: Inspection }
  | { readonly refusal: 'wrongType' | 'unreadable' | 'overran'; readonly problem?: string };
