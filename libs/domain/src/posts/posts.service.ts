import { Injectable } from '@nestjs/common';
import { type FeedQuery, type PostQuery, type UserListQuery, voteChanged } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { ForbiddenError, NotFoundError } from '../errors/domain-error';
import { FeedRequests, type RequestedPage } from '../feeds/feed-requests';
import type { Viewer } from '../media/media.rules';
import type { VoteOutcome } from '../votes/vote.presenter';
import type { VoteValue } from '../votes/vote.rules';
import { VotesService } from '../votes/votes.service';
import type { PostEntity } from './post.entity';
import type { ListedPost, SinglePost } from './post.presenter';
import { namedBy, type PostReference, readPostReference } from './post-reference';
import { PostRepository } from './post.repository';
import { canSeePost, canTakePart, isListedFor, type NamedBy } from './post.rules';
import type { PostPage, VisiblePost } from './post.types';
import { PostViewRepository } from './post-view.repository';
import { ViewCounter } from './view-counter';

/**
 * Posts as others meet them: read, listed, voted on, commented. What their owners do with them is
 * `PostEditingService`. A post is named by its slug or its numeric id wherever a `reference` is asked for.
 */
@Injectable()
export class PostsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: PostRepository,
    private readonly views: PostViewRepository,
    private readonly viewCounter: ViewCounter,
    private readonly votes: VotesService,
    private readonly feedRequests: FeedRequests,
    private readonly outbox: Outbox,
  ) {}

  /**
   * A post with one page of its media, which counts as a view unless its owner looks, or `isView` is false. Throws
   * `NotFoundError`.
   */
  async findForViewer(
    reference: string,
    viewer: Viewer,
    key: string | null,
    { mediaPage, perPage }: PostQuery,
    isView = true,
  ): Promise<SinglePost> {
    const named = readPostReference(reference);
    const view = named && (await this.views.findSingle(named, viewer, mediaPage, perPage));
    if (!view || !canSeePost(view.post, viewer, key, namedBy(named))) throw new NotFoundError();
    if (isView && !view.own) this.viewCounter.count(view.post.id);
    return view;
  }

  /** A page of the feed of posts, of what everybody can find. For `mayLag` see `Feed`. */
  async findFeedPage(query: FeedQuery, viewer: Viewer, mayLag = false): Promise<PostPage> {
    const page = await this.feedRequests.findPage('posts', query, mayLag);
    // One may have been hidden or rejected since the feed was read.
    return this.showPage(page, viewer, ({ post }) => isListedFor(post.listing, query.nsfw ?? false), mayLag);
  }

  /**
   * A page of an account's posts, as its profile shows them. For `mayLag` see `Feed`. Throws `NotFoundError` where
   * there is no such account.
   */
  async findProfilePage(
    username: string,
    viewer: Viewer,
    query: UserListQuery,
    mayLag = false,
  ): Promise<PostPage> {
    const page = await this.feedRequests.findProfilePage('posts', username, viewer, query, mayLag);
    const shows = ({ post, own }: ListedPost): boolean =>
      own || isListedFor(post.listing, query.nsfw ?? false);
    return this.showPage(page, viewer, shows, mayLag);
  }

  /** A page of all posts of the caller's own. */
  async findOwnPage(caller: NonNullable<Viewer>, query: UserListQuery): Promise<PostPage> {
    const page = await this.feedRequests.findOwnPage('posts', caller.userId, query);
    return this.showPage(page, caller, ({ own }) => own, false);
  }

  /**
   * The posts with these ids as lists show them to `viewer`, in their order; those that are gone are left out. Whether
   * the viewer may see them isn't asked.
   */
  async findListed(ids: readonly number[], viewer: Viewer, mayLag = false): Promise<readonly ListedPost[]> {
    const views = await this.views.findListed(ids, viewer, mayLag);
    return ids.flatMap((id) => views.get(id) ?? []);
  }

  /**
   * A post that `viewer`, or anyone with its `key`, may see. `post`: as the caller named it, by slug or numeric id; a
   * number where the caller named something on the post, such as a comment. Throws `NotFoundError` for any other.
   */
  async requireVisible(post: string | number, viewer: Viewer, key: string | null): Promise<VisiblePost> {
    const asked = readAsked(post);
    const found = asked && (await this.repository.findAccess(asked.reference));
    if (!found || !canSeePost(found, viewer, key, asked.namedBy)) throw new NotFoundError();
    return toVisible(found);
  }

  /**
   * As `requireVisible`, and locks the post's row until the caller's transaction ends, so that it neither changes nor
   * goes. Media are locked before posts, comments after.
   */
  async lockVisible(
    tx: Transaction,
    post: string | number,
    viewer: Viewer,
    key: string | null,
  ): Promise<VisiblePost> {
    return toVisible((await this.lock(tx, post, viewer, key)).post);
  }

  /**
   * As `lockVisible`, for commenting and voting. Throws `ForbiddenError` too, where a moderator who sees a private
   * post has no key to it.
   */
  async lockToTakePart(
    tx: Transaction,
    asked: string | number,
    viewer: Viewer,
    key: string | null,
  ): Promise<VisiblePost> {
    const { post, namedBy } = await this.lock(tx, asked, viewer, key);
    if (!canTakePart(post, viewer, key, namedBy)) throw new ForbiddenError();
    return toVisible(post);
  }

  /** Locks a post's row, whoever may see it. Returns whether it is still there. */
  async hold(tx: Transaction, postId: number): Promise<boolean> {
    return (await this.repository.lock(tx, { id: postId })) !== null;
  }

  /** Comments were added to a post, or taken from it where `by` is below 0. The post's row must be locked. */
  changeCommentCount(tx: Transaction, postId: number, by: number): Promise<void> {
    return this.repository.changeCommentCount(tx, postId, by);
  }

  /**
   * Casts a vote on a post, or takes it back. Throws `NotFoundError`, `ForbiddenError` (see `lockToTakePart`), and
   * `UnauthenticatedError` where the account has been deleted meanwhile.
   */
  async vote(
    reference: string,
    caller: NonNullable<Viewer>,
    key: string | null,
    value: VoteValue,
  ): Promise<VoteOutcome> {
    return this.transactions.run(async (tx) => {
      const post = await this.lockToTakePart(tx, reference, caller, key);
      const { from, to } = await this.votes.cast(tx, 'post', post.id, caller.userId, value);
      const score = await this.repository.changeScore(tx, post.id, to - from);
      await this.outbox.add(tx, voteChanged, {
        target: 'post',
        target_id: post.id,
        user_id: caller.userId,
        from,
        to,
        score,
      });
      return { from, to, score };
    });
  }

  /**
   * Takes back up to `limit` votes on posts of an account that is being erased. Returns how many were found, whoever
   * took them back: 0 once there are none.
   */
  withdrawVotes(userId: number, limit: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const ids = await this.votes.findVotedOn(tx, 'post', userId, limit);
      const votes = await this.votes.withdraw(tx, 'post', await this.repository.lockAll(tx, ids), userId);
      const scores = await this.repository.takeFromScores(tx, votes);
      for (const { targetId, value } of votes) {
        await this.outbox.add(tx, voteChanged, {
          target: 'post',
          target_id: targetId,
          user_id: userId,
          from: value,
          to: 0,
          score: scores.get(targetId) ?? 0,
        });
      }
      return ids.length;
    });
  }

  private async showPage(
    { ids, total, seed }: RequestedPage,
    viewer: Viewer,
    shows: (view: ListedPost) => boolean,
    mayLag: boolean,
  ): Promise<PostPage> {
    return { items: (await this.findListed(ids, viewer, mayLag)).filter(shows), total, seed };
  }

  private async lock(
    tx: Transaction,
    named: string | number,
    viewer: Viewer,
    key: string | null,
  ): Promise<{ readonly post: PostEntity; readonly namedBy: NamedBy }> {
    const asked = readAsked(named);
    const post = asked && (await this.repository.lock(tx, asked.reference));
    if (!post || !canSeePost(post, viewer, key, asked.namedBy)) throw new NotFoundError();
    return { post, namedBy: asked.namedBy };
  }
}

/** The requested post. An id that the service found itself gives the same access as a slug. */
function readAsked(
  post: string | number,
): { readonly reference: PostReference; readonly namedBy: NamedBy } | null {
  if (typeof post === 'number') return { reference: { id: post }, namedBy: 'slug' };
  const reference = readPostReference(post);
  return reference && { reference, namedBy: namedBy(reference) };
}

/** The access key goes no further. */
const toVisible = ({ id, slug, userId, title, visibility, moderationStatus }: VisiblePost): VisiblePost => ({
  id,
  slug,
  userId,
  title,
  visibility,
  moderationStatus,
});
