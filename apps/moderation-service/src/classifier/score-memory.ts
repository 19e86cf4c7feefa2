import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * Remembers what pictures were judged to be, by the hash of their bytes, so that the same picture is judged once. Holds
 * the `size` pictures that were asked for last; a failure is not remembered.
 */
export class ScoreMemory<Scores> {
  private readonly known: LRUCache<string, Promise<Scores>>;

  constructor(
    size: number,
    private readonly judge: (picture: Uint8Array) => Promise<Scores>,
  ) {
    this.known = new LRUCache({ max: size });
  }

  /** The scores of a picture: those of the last time, or else `judge`'s. */
  scoresOf(picture: Uint8Array): Promise<Scores> {
    const key = createHash('sha256').update(picture).digest('base64');
    const known = this.known.get(key);
    if (known) return known;
    const scores = this.judge(picture);
    this.known.set(key, scores);
    scores.catch(() => {
      if (this.known.peek(key) === scores) this.known.delete(key);
    });
    return scores;
  }
}
