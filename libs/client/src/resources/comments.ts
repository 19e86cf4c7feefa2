import { Listing, type ListingOf } from '../lists/listing';
import type { AccessKeyQuery, BodyOf, CallOptions, QueryOf, Transport } from '../transport/transport';
import type { Comment, VoteAnswer } from '../api/types';

/** The key of a private post, and the slug of the comment's post, which a hidden post requires. */
export type CommentQuery = QueryOf<'getComment'>;

/** Comments on posts. */
export class Comments {
  constructor(private readonly transport: Transport) {}

  /** Lists the comments on a post: `client.comments.on(slug).iterate({ sort: 'top' })`. */
  on(post: string | number): ListingOf<'listComments'> {
    return new Listing((query, options) =>
      this.transport.call('listComments', { path: { post }, query }, options),
    );
  }

  async get(comment: number, query: CommentQuery = {}, options?: CallOptions): Promise<Comment> {
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

  /** Changes the text of your own comment. */
  async update(
    comment: number,
    body: BodyOf<'updateComment'>,
    query: CommentQuery = {},
    options?: CallOptions,
  ): Promise<Comment> {
    return (await this.transport.call('updateComment', { path: { comment }, query, body }, options)).comment;
  }

  async delete(comment: number, query: CommentQuery = {}, options?: CallOptions): Promise<void> {
    await this.transport.call('deleteComment', { path: { comment }, query }, options);
  }

  /** Upvotes a comment. Upvoting again removes the upvote. */
  upvote(comment: number, query: CommentQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('upvoteComment', { path: { comment }, query }, options);
  }

  /** Downvotes a comment. Downvoting again removes the downvote. */
  downvote(comment: number, query: CommentQuery = {}, options?: CallOptions): Promise<VoteAnswer> {
    return this.transport.call('downvoteComment', { path: { comment }, query }, options);
  }

  /** Sets your vote on a comment, regardless of your earlier vote. */
  vote(
    comment: number,
    vote: 'up' | 'down',
    query: CommentQuery = {},
    options?: CallOptions,
  ): Promise<VoteAnswer> {
    const operation = vote === 'up' ? 'setUpvoteComment' : 'setDownvoteComment';
    return this.transport.call(operation, { path: { comment }, query }, options);
  }

  /** Removes your upvote or downvote from a comment; a vote in the other direction stays. */
  removeVote(
    comment: number,
    vote: 'up' | 'down',
    query: CommentQuery = {},
    options?: CallOptions,
  ): Promise<VoteAnswer> {
    const operation = vote === 'up' ? 'removeUpvoteComment' : 'removeDownvoteComment';
    return this.transport.call(operation, { path: { comment }, query }, options);
  }
}
