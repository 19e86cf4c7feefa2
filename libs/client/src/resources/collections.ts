import { Listing, type ListingOf } from '../lists/listing';
import type { AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';

type Collection = AnswerOf<'getCollection'>['data'];

/** Saved posts and collections. The slug `saved` names the caller's saved posts. */
export class Collections {
  constructor(private readonly transport: Transport) {}

  /** The caller's collections. With `post`, `contains` tells which of them hold it. */
  async list(query: QueryOf<'listCollections'> = {}, options?: CallOptions): Promise<readonly Collection[]> {
    return (await this.transport.call('listCollections', { query }, options)).data;
  }

  async get(collection: string, options?: CallOptions): Promise<Collection> {
    return (await this.transport.call('getCollection', { path: { collection } }, options)).data;
  }

  async create(body: BodyOf<'createCollection'>, options?: CallOptions): Promise<Collection> {
    return (await this.transport.call('createCollection', { body }, options)).data;
  }

  async update(
    collection: string,
    body: BodyOf<'updateCollection'>,
    options?: CallOptions,
  ): Promise<Collection> {
    return (await this.transport.call('updateCollection', { path: { collection }, body }, options)).data;
  }

  async delete(collection: string, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteCollection', { path: { collection } }, options);
  }

  /** `client.collections.posts('saved').iterate()` */
  posts(collection: string): ListingOf<'listCollectionPosts'> {
    return new Listing((query, options) =>
      this.transport.call('listCollectionPosts', { path: { collection }, query }, options),
    );
  }

  async add(collection: string, post: string, options?: CallOptions): Promise<void> {
    await this.transport.call('savePost', { path: { collection, post } }, options);
  }

  async remove(collection: string, post: string, options?: CallOptions): Promise<void> {
    await this.transport.call('unsavePost', { path: { collection, post } }, options);
  }
}
