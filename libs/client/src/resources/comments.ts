import { Listing, type ListingOf } from '../listing';
import type { AccessKeyQuery, BodyOf, CallOptions, Transport } from '../transport';
import type { Comment, VoteAnswer } from '../types';

/** What people say of posts. */
export class Comments {
  constructor(private readonly transport: Transport) {}

  /** The comments of a post: `client.comments.on(slug).iterate({ sort: 'top' })`. */
  on(post: string | number): ListingOf<'listComments'> {
    return new Listing((query, options) =>
      this.transport.call('listComments', { path: { post }, query }, options),
    );
  }

  async get(comment: number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<Comment> {
    return (await this.transport.call('getComment', { path: { comment }, query }, options)).data;
  }

  async create(
    post: string | number,
    body: BodyOf<'createComment'>,
    query: AccessKeyQuery = {},
    options?: CallOptions,
  ): Promise<Comment> {
    return (await this.transport.call('createComment', { path: { post }, query, body }, options)).comment;
  }

  async delete(comment: number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteComment', { path: { comment }, query }, options);
  }

  /** Upvotes, or takes the upvote back. */
  upvote(comment: number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('upvoteComment', { path: { comment }, query }, options);
  }

  /** Downvotes, or takes the downvote back. */
  downvote(comment: number, query: AccessKeyQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('downvoteComment', { path: { comment }, query }, options);
  }
}
