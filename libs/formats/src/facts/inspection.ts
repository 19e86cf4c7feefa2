import type { ByteSource } from '../bytes/byte-source';
import type { Rewrite } from '../rewriting/rewrite';
import type { MediaFacts } from './media-facts';

export interface Inspection {
  readonly facts: MediaFacts;
  /** How to write the same picture without metadata about places, people and devices. */
  readonly rewrite: Rewrite;
}

/** Reads one format. Throws `UnreadableFileError` if the file is damaged or not of that format. */
export type Inspector = (source: ByteSource) => Promise<Inspection>;
