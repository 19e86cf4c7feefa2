import type { PurgedMedia } from '@vitrine/domain';

/** Why a cache has not forgotten some media. Its message contains no credential. */
export class CachePurgeError extends Error {
  override readonly name = 'CachePurgeError';

  /** `retryAfterSeconds`: the cache asks for this pause. */
  constructor(
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** A cache in front of the file host, or several of one kind. */
export abstract class CachePurger {
  /** In metrics, logs and rows. */
  abstract readonly name: string;
  /** The largest number of media that are told together. */
  abstract readonly batch: number;

  /**
   * Resolves when the cache has forgotten every answer for the files of these media. Repeating it is harmless. Rejects with a
   * `CachePurgeError`, also if the cache takes longer than its time limit or `stop` is aborted.
   */
  abstract purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void>;
}
