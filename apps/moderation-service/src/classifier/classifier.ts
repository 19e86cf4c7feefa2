import type { ClassScores } from '@vitrine/domain';

/** Says how fit pictures are for everybody. */
export abstract class Classifier {
  /**
   * Scores of each picture, in order; JPEG files of our own making. Rejects where one of them can't be judged now:
   * the whole is to be tried again later.
   */
  abstract classify(pictures: readonly Uint8Array[]): Promise<readonly ClassScores[]>;
  /** True once it can take work. */
  abstract ready(): boolean;
}
