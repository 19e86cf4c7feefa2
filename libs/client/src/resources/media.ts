import { Listing } from '../listing';
import { pause } from '../retry';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport';
import type { Media } from '../types';
import { upload, type UploadOptions, type UploadSource } from '../upload';
import { VitrineError } from '../vitrine-error';

export interface WaitOptions {
  /** Ends the waiting; `AbortSignal.timeout(60_000)`, say. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two looks; they begin at a quarter of it. 2,000 where absent. */
  readonly intervalMs?: number | undefined;
}

const DEFAULT_INTERVAL_MS = 2_000;

/** Images and videos. */
export class MediaResource extends Listing<AnswerOf<'listMedia'>, QueryOf<'listMedia'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listMedia', { query }, options));
  }

  /** Its `urls` work at once; sized variants follow: `waitUntilProcessed`. */
  async upload(source: UploadSource, options: UploadOptions = {}): Promise<Media> {
    return (await upload(this.transport, source, options)).media;
  }

  async get(slug: string, options?: CallOptions): Promise<Media> {
    return (await this.transport.call('getMedia', { path: { slug } }, options)).data;
  }

  /** Up to 100 media items by their slugs, in this order; those that the caller may not see are left out. */
  async getMany(slugs: readonly string[], options?: CallOptions): Promise<readonly Media[]> {
    return (await this.transport.call('listMedia', { query: { slugs: slugs.join(',') } }, options)).data;
  }

  /** Absent fields keep their values, null clears them. */
  async update(slug: string, changes: BodyOf<'updateMedia'>, options?: CallOptions): Promise<void> {
    await this.transport.call('updateMedia', { path: { slug }, body: changes }, options);
  }

  async delete(slug: string, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteMedia', { path: { slug } }, options);
  }

  /**
   * Resolves with the media once every sized variant is made. Throws a `VitrineError` of the code
   * `processing_failed` where that can't be, with the reason as its message. It waits for ever without a signal.
   */
  async waitUntilProcessed(slug: string, { signal, intervalMs }: WaitOptions = {}): Promise<Media> {
    const longest = intervalMs ?? DEFAULT_INTERVAL_MS;
    for (let wait = longest / 4; ; wait = Math.min(longest, wait * 2)) {
      const media = await this.get(slug, { signal });
      if (media.processing_error !== null) {
        throw new VitrineError({ code: 'processing_failed', message: media.processing_error });
      }
      if (media.processed) return media;
      await pause(wait, signal);
    }
  }
}
