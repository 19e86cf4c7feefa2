import type { ClassScores } from '@vitrine/domain';

/** Estimates whether pictures are safe for all viewers. */
export abstract class Classifier {
  /**
   * Returns the scores of each picture, in order. `pictures` are JPEG files that media-processor made. Rejects if one
   * of them can't be classified now; then the caller should try all of them again later.
   */
  abstract classify(pictures: readonly Uint8Array[]): Promise<readonly ClassScores[]>;
  /** Whether it can classify pictures now. */
  abstract ready(): boolean;
}
