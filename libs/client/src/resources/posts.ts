import { Listing } from '../listing';
import { itemsOf, pagesOf } from '../pages';
import type { AccessKeyQuery, AnswerOf, BodyOf, CallOptions, QueryOf, Transport } from '../transport';
import type { CreatedPost, Media, Post, VoteAnswer } from '../types';

/** Pages that group media. Everywhere a post goes by its slug or its id. */
export class Posts extends Listing<AnswerOf<'listPosts'>, QueryOf<'listPosts'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listPosts', { query }, options));
  }

  /** A post with one page of its media; all of them: `iterateMedia`. */
  async get(post: string | number, query?: QueryOf<'getPost'>, options?: CallOptions): Promise<Post> {
    return (await this.transport.call('getPost', { path: { post }, query: query ?? {} }, options)).data;
  }

  /** Every media of a post, in its order. */
  iterateMedia(
    post: string | number,
    query: QueryOf<'getPost'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Media, void, undefined> {
    const page = async (asked: QueryOf<'getPost'> | URLSearchParams) => {
      const { data, links } = await this.transport.call('getPost', { path: { post }, query: asked }, options);
      return { data: data.media, links };
    };
    return itemsOf<Media>(pagesOf(() => page(query), page));
  }

  async create(body: BodyOf<'createPost'>, options?: CallOptions): Promise<CreatedPost> {
    return (await this.transport.call('createPost', { body }, options)).post;
  }

  /** Absent fields keep their values, null clears them. Made private, the answer has its `access_key`. */
  update(
    post: string | number,
    changes: BodyOf<'updatePost'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'updatePost'>> {
    return this.transport.call('updatePost', { path: { post }, body: changes }, options);
  }

  /** Its media stay. */
  async delete(post: string | number, options?: CallOptions): Promise<void> {
    await this.transport.call('deletePost', { path: { post } }, options);
  }

  async addMedia(post: string | number, mediaIds: readonly number[], options?: CallOptions): Promise<void> {
    const body = { media_ids: [...mediaIds] };
    await this.transport.call('addPostMedia', { path: { post }, body }, options);
  }

  async removeMedia(post: string | number, slug: string, options?: CallOptions): Promise<void> {
    await this.transport.call('removePostMedia', { path: { post, slug } }, options);
  }

  /** Upvotes, or takes the upvote back. */
  upvote(post: string | number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('upvotePost', { path: { post }, query }, options);
  }

  /** Downvotes, or takes the downvote back. */
  downvote(post: string | number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('downvotePost', { path: { post }, query }, options);
  }
}
