import type { Inspection } from '@vitrine/formats';

/** What came of looking at a file; `problem` is for the log where the parser rather than the file may be at fault. */
export type InspectionOutcome =
  | { readonly inspection: Inspection }
  | { readonly refusal: 'wrongType' | 'unreadable' | 'overran'; readonly problem?: string };
