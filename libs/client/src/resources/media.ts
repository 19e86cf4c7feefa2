import { Listing } from '../lists/listing';
import { pause } from '../transport/retry';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';
import type { Media, MediaDetails } from '../api/types';
import { upload, uploadFromUrl, type UploadOptions, type UploadSource } from '../upload/upload';
import { VitrineError } from '../transport/vitrine-error';

export interface WaitOptions {
  /** Aborts the waiting, for example `AbortSignal.timeout(60_000)`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest pause between two requests that the API did not hold, in milliseconds; the first pause is a quarter of it.
   * Default: 2,000.
   */
  readonly intervalMs?: number | undefined;
}

/** The longest time in seconds for which the API holds a request. */
const MAX_WAIT = 20;
/** Shorter when waiting only for the processing, because the API also waits for the automatic check after it. */
const PROCESSING_WAIT = 5;
const DEFAULT_INTERVAL_MS = 2_000;

/** Images and videos. */
export class MediaResource extends Listing<AnswerOf<'listMedia'>, QueryOf<'listMedia'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listMedia', { query }, options));
  }

  /** Uploads a file. The `urls` of the result work immediately; `waitUntilProcessed` waits for the size variants. */
  async upload(source: UploadSource, options: UploadOptions = {}): Promise<Media> {
    return (await upload(this.transport, source, options)).media;
  }

  /** Uploads a file that the site fetches from an address; see `upload_by_url` of `site()`. */
  async uploadFromUrl(url: string, options: UploadOptions = {}): Promise<Media> {
    return (await uploadFromUrl(this.transport, url, options)).media;
  }

  /** Returns a media item by slug or id. */
  async get(slug: string | number, options?: CallOptions): Promise<MediaDetails> {
    return (await this.transport.call('getMedia', { path: { slug } }, options)).data;
  }

  /** Returns up to 100 media items by slug, in the given order. Items that the caller may not see are omitted. */
  async getMany(slugs: readonly string[], options?: CallOptions): Promise<readonly Media[]> {
    return (await this.transport.call('listMedia', { query: { slugs: slugs.join(',') } }, options)).data;
  }

  /** Updates a media item. Omitted fields stay unchanged; null clears a field. */
  async update(slug: string | number, changes: BodyOf<'updateMedia'>, options?: CallOptions): Promise<void> {
    await this.transport.call('updateMedia', { path: { slug }, body: changes }, options);
  }

  async delete(slug: string | number, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteMedia', { path: { slug } }, options);
  }

  /**
   * Resolves with the media item once every size variant exists. Throws a `VitrineError` with the code
   * `processing_failed` if processing failed, with the reason as its message. Without a signal the wait has no limit.
   */
  waitUntilProcessed(slug: string | number, options?: WaitOptions): Promise<Media> {
    return this.waitUntil(({ processed }) => processed, slug, PROCESSING_WAIT, options);
  }

  /**
   * Resolves with the media item once its `moderation_status` is no longer `pending`. If it waits for a person, that may
   * take days. Throws as `waitUntilProcessed` does. Without a signal the wait has no limit.
   */
  waitUntilModerated(slug: string | number, options?: WaitOptions): Promise<Media> {
    return this.waitUntil(({ moderation_status: status }) => status !== 'pending', slug, MAX_WAIT, options);
  }

  private async waitUntil(
    isDone: (media: Media) => boolean,
    slug: string | number,
    waitSeconds: number,
    { signal, intervalMs }: WaitOptions = {},
  ): Promise<Media> {
    const longest = intervalMs ?? DEFAULT_INTERVAL_MS;
    for (let wait = longest / 4; ; wait = Math.min(longest, wait * 2)) {
      const heldUntil = Date.now() + waitSeconds * 1000;
      const query = { wait: waitSeconds };
      const { data: media } = await this.transport.call('getMedia', { path: { slug }, query }, { signal });
      if (media.processing_error !== null) {
        throw new VitrineError({ code: 'processing_failed', message: media.processing_error });
      }
      if (isDone(media)) return media;
      // An early answer: too many requests wait, the service knows no `wait`, or the media item waits for a person.
      if (Date.now() < heldUntil) await pause(wait, signal);
    }
  }
}
