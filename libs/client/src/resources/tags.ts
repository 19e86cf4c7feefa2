import { Listing } from '../lists/listing';
import type { AnswerOf, CallOptions, QueryOf, Transport } from '../transport/transport';

/** Tags that are in use, most used first. */
export class Tags extends Listing<AnswerOf<'listTags'>, QueryOf<'listTags'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listTags', { query }, options));
  }

  /** A tag with its counts, and whether the caller follows it. */
  async get(
    tag: string,
    query?: QueryOf<'getTag'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'getTag'>['data']> {
    return (await this.transport.call('getTag', { path: { tag }, query: query ?? {} }, options)).data;
  }

  /** Follows a tag. Idempotent. */
  async follow(tag: string, options?: CallOptions): Promise<void> {
    await this.transport.call('followTag', { path: { tag } }, options);
  }

  /** Unfollows a tag. Idempotent. */
  async unfollow(tag: string, options?: CallOptions): Promise<void> {
    await this.transport.call('unfollowTag', { path: { tag } }, options);
  }
}
