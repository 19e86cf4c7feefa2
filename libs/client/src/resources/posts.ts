import { Listing } from '../lists/listing';
import { itemsOf, pagesOf } from '../lists/pages';
import type {
  AccessKeyQuery,
  AnswerOf,
  BodyOf,
  CallOptions,
  QueryOf,
  Transport,
} from '../transport/transport';
import type { CreatedPost, Media, Post, VoteAnswer } from '../api/types';
import { type PostUploadOptions, uploadPost, type UploadSource } from '../upload/upload';

/** Posts: shareable pages that group media. Every method takes the post's slug or its numeric id. */
export class Posts extends Listing<AnswerOf<'listPosts'>, QueryOf<'listPosts'>> {
  constructor(private readonly transport: Transport) {
    super((query, options) => transport.call('listPosts', { query }, options));
  }

  /** Returns a post with one page of its media. `iterateMedia` returns all of them. */
  async get(post: string | number, query?: QueryOf<'getPost'>, options?: CallOptions): Promise<Post> {
    return (await this.transport.call('getPost', { path: { post }, query: query ?? {} }, options)).data;
  }

  /** Iterates over all media of a post, in the order of the post. */
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

  /** The posts before and after a post in a feed. */
  async neighbours(
    post: string | number,
    query?: QueryOf<'getPostNeighbours'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'getPostNeighbours'>['data']> {
    const asked = { path: { post }, query: query ?? {} };
    return (await this.transport.call('getPostNeighbours', asked, options)).data;
  }

  async create(body: BodyOf<'createPost'>, options?: CallOptions): Promise<CreatedPost> {
    return (await this.transport.call('createPost', { body }, options)).post;
  }

  /** Uploads a file and creates a post of it: either both exist afterwards or neither. */
  async upload(
    source: UploadSource,
    options: PostUploadOptions = {},
  ): Promise<{ readonly post: CreatedPost; readonly media: Media }> {
    const { post, media } = await uploadPost(this.transport, source, options);
    return { post, media };
  }

  /**
   * Updates a post. Omitted fields stay unchanged; null clears a field. If the post is private, the result has its
   * `access_key`.
   */
  update(
    post: string | number,
    changes: BodyOf<'updatePost'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'updatePost'>> {
    return this.transport.call('updatePost', { path: { post }, body: changes }, options);
  }

  /** The views of one of the caller's posts by day, and the sites that led to it. */
  async statistics(post: string, options?: CallOptions): Promise<AnswerOf<'getPostStatistics'>['data']> {
    return (await this.transport.call('getPostStatistics', { path: { post } }, options)).data;
  }

  /** Deletes a post. Its media are not deleted, unless `alongWithMedia` is set and they are in no other post. */
  async delete(
    post: string | number,
    { alongWithMedia, ...options }: CallOptions & { readonly alongWithMedia?: boolean } = {},
  ): Promise<void> {
    const query = alongWithMedia ? { media: true } : {};
    await this.transport.call('deletePost', { path: { post }, query }, options);
  }

  async addMedia(
    post: string | number,
    media: readonly (number | string)[],
    options?: CallOptions,
  ): Promise<void> {
    const body = { media_ids: [...media] };
    await this.transport.call('addPostMedia', { path: { post }, body }, options);
  }

  async removeMedia(post: string | number, slug: string, options?: CallOptions): Promise<void> {
    await this.transport.call('removePostMedia', { path: { post, slug } }, options);
  }

  /** Upvotes a post. Upvoting again removes the upvote. */
  upvote(post: string | number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('upvotePost', { path: { post }, query }, options);
  }

  /** Downvotes a post. Downvoting again removes the downvote. */
  downvote(post: string | number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('downvotePost', { path: { post }, query }, options);
  }

  /** Sets your vote on a post, regardless of your earlier vote. */
  vote(
    post: string | number,
    vote: 'up' | 'down',
    query: AccessKeyQuery = {},
    options?: CallOptions,
  ): Promise<VoteAnswer> {
    const operation = vote === 'up' ? 'setUpvotePost' : 'setDownvotePost';
    return this.transport.call(operation, { path: { post }, query }, options);
  }

  /** Removes your upvote or downvote from a post; a vote in the other direction stays. */
  removeVote(
    post: string | number,
    vote: 'up' | 'down',
    query: AccessKeyQuery = {},
    options?: CallOptions,
  ): Promise<VoteAnswer> {
    const operation = vote === 'up' ? 'removeUpvotePost' : 'removeDownvotePost';
    return this.transport.call(operation, { path: { post }, query }, options);
  }
}
