import { createHash } from 'node:crypto';

/**
 * Remembers what pictures were judged to be, by the hash of their bytes, so that the same picture is judged once. Holds
 * the `size` pictures that were asked for last; a failure is not remembered.
 */
export class ScoreMemory<Scores> {
  private readonly known = new Map<string, Promise<Scores>>();

  constructor(
    private readonly size: number,
    private readonly judge: (picture: Uint8Array) => Promise<Scores>,
  ) {}

  /** The scores of a picture: those of the last time, or else `judge`'s. */
  scoresOf(picture: Uint8Array): Promise<Scores> {
    const key = createHash('sha256').update(picture).digest('base64');
    const scores = this.known.get(key) ?? this.judge(picture);
    // A Map keeps its order, so the first entry is the one that was not used for longest.
    this.known.delete(key);
    this.known.set(key, scores);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.size) break;
      this.known.delete(oldest);
    }
    scores.catch(() => {
      if (this.known.get(key) === scores) this.known.delete(key);
    });
    return scores;
  }
}
