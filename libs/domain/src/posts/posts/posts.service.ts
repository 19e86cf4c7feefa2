import { Injectable } from '@nestjs/common';
import type {
  FollowedFeedQuery,
  NeighboursQuery,
  PostFeedQuery,
  PostQuery,
  UserListQuery,
} from '@vitrine/contracts/api';
import { Database, type Transaction } from '@vitrine/database';
import type { PostEntity, VisiblePost } from '../rows/post.entity';
import { isModerator, type Viewer } from '../../base/access/viewer';
import { ForbiddenError, NotFoundError } from '../../base/errors/domain-error';
import type { Neighbours } from '../feeds/feed';
import { FeedRequests, type RequestedPage } from '../feeds/feed-requests';
import { PostSearch } from '../feeds/post-search.service';
import { RelationsService } from '../../community/relations/relations.service';
import type { PresentedBallot, VoteOutcome } from '../../community/votes/vote.rules';
import { type CastBallot, VotesService } from '../../community/votes/votes.service';
import {
  refusalOf,
  type SharedRequest,
  SharedTransactions,
} from '../../base/shared-transactions/shared-transactions';
import type { ListedPost, PostPage, PostStatistics, SinglePost } from './post.types';
import { namedBy, type PostReference, readPostReference } from '../rows/post-reference';
import { PostRepository } from '../rows/post.repository';
import { canSeePost, canTakePart, isPostShownInList, type NamedBy } from '../rows/post.rules';
import { PostStatisticsRepository } from './post-statistics.repository';
import { PostViewRepository } from './post-view.repository';
import { ViewCounter } from './view-counter';
import type { Reading } from '../../base/access/reading';

/**
 * Reads, lists and locks posts, and votes on them. `PostEditingService` has the use cases of owners. A `reference` is
 * a slug or numeric id.
 */
@Injectable()
export class PostsService {
  /** Votes on the same post wait for each other. */
  private readonly ballots: SharedTransactions<PostBallot, VoteOutcome>;

  constructor(
    private readonly database: Database,
    private readonly repository: PostRepository,
    private readonly views: PostViewRepository,
    private readonly viewCounter: ViewCounter,
    private readonly votes: VotesService,
    private readonly feedRequests: FeedRequests,
    private readonly relations: RelationsService,
    private readonly search: PostSearch,
    private readonly statistics: PostStatisticsRepository,
  ) {
    this.ballots = new SharedTransactions(database, (tx, ballots) => this.castAll(tx, ballots));
  }

  /**
   * A post with one page of its media. Counts a view, unless the viewer is the owner or `isView` is false. Throws
   * `NotFoundError`.
   */
  async findForViewer(
    reference: string,
    { viewer, accessKey = null, isView = true, referrer = null }: Reading,
    { mediaPage, perPage }: PostQuery,
  ): Promise<SinglePost> {
    const named = readPostReference(reference);
    const view = named && (await this.views.findSingle(named, viewer, mediaPage, perPage));
    if (!view || !canSeePost(view.post, viewer, accessKey, namedBy(named))) throw new NotFoundError();
    if (view.blocked && !isModerator(viewer)) throw new NotFoundError();
    if (isView && !view.own) this.viewCounter.count(view.post.id, referrer);
    return view;
  }

  /** The statistics of a post of the caller. Throws `NotFoundError`, `ForbiddenError`. */
  async findStatistics(reference: string, caller: NonNullable<Viewer>): Promise<PostStatistics> {
    const { id, userId } = await this.requireVisible(reference, { viewer: caller });
    if (userId !== caller.userId) throw new ForbiddenError();
    return this.statistics.find(id);
  }

  /** Removes statistics of days that are no longer kept, in batches while `mayContinue` returns true; returns their number. */
  async removeOldStatistics(mayContinue: () => boolean, batch = 10_000): Promise<number> {
    let removed = 0;
    for (let found = batch; found === batch && mayContinue(); removed += found)
      found = await this.database.transaction((tx) => this.statistics.removeOld(tx, batch));
    return removed;
  }

  /** A page of the feed of all posts, or of the posts that are similar to a text. */
  async findFeedPage(query: PostFeedQuery, reading: Reading): Promise<PostPage> {
    const page = query.similar
      ? await this.search.findSimilarPage(query, reading.viewer)
      : await this.feedRequests.findPage('posts', query, reading);
    return this.showPage(page, reading, ({ post }) => isPostShownInList(post, query.nsfw ?? false));
  }

  /** The posts before and after a post in a feed. Throws `NotFoundError` if the viewer can't see the post. */
  async findNeighbours(
    reference: string,
    query: NeighboursQuery,
    reading: Reading,
  ): Promise<Neighbours<ListedPost>> {
    const { id } = await this.requireVisible(reference, reading);
    const { previous, next, hidden } = await this.feedRequests.findNeighbours(id, query, reading);
    const page = { ids: [previous, next].filter((one) => one !== null), total: 2, seed: null, hidden };
    const { items } = await this.showPage(page, reading, ({ post }) =>
      isPostShownInList(post, query.nsfw ?? false),
    );
    const byId = (one: number | null): ListedPost | null => items.find(({ post }) => post.id === one) ?? null;
    return { previous: byId(previous), next: byId(next) };
  }

  /** A page of the posts of the people and tags that the caller follows. */
  async findFollowedPage(caller: NonNullable<Viewer>, query: FollowedFeedQuery): Promise<PostPage> {
    const page = await this.feedRequests.findFollowedPage(caller, query);
    return this.showPage(page, { viewer: caller }, ({ post }) =>
      isPostShownInList(post, query.nsfw ?? false),
    );
  }

  /**
   * A page of a user's posts, for the profile. Throws `NotFoundError` for an unknown username.
   */
  async findProfilePage(username: string, query: UserListQuery, reading: Reading): Promise<PostPage> {
    const page = await this.feedRequests.findProfilePage('posts', username, query, reading);
    const shows = ({ post, own }: ListedPost): boolean => own || isPostShownInList(post, query.nsfw ?? false);
    return this.showPage(page, reading, shows);
  }

  /** A page of the caller's own posts. */
  async findOwnPage(caller: NonNullable<Viewer>, query: UserListQuery): Promise<PostPage> {
    const page = await this.feedRequests.findOwnPage('posts', caller.userId, query);
    return this.showPage(page, { viewer: caller }, ({ own }) => own);
  }

  /**
   * The posts with these ids, in their order, as lists show them; deleted ones are left out. Doesn't check whether
   * the viewer may see them.
   */
  async findListed(ids: readonly number[], reading: Reading): Promise<readonly ListedPost[]> {
    const views = await this.views.findListed(ids, reading);
    return ids.flatMap((id) => views.get(id) ?? []);
  }

  /** A post that the viewer may see, as the caller named it. Throws `NotFoundError`. */
  async requireVisible(post: AskedPost, { viewer, accessKey = null }: Reading): Promise<VisiblePost> {
    const asked = readAsked(post);
    const found = asked && (await this.repository.findAccess(asked.reference, viewer?.userId ?? null));
    if (!found || !canSeePost(found, viewer, accessKey, asked.namedBy)) throw new NotFoundError();
    if (found.blocked && !isModerator(viewer)) throw new NotFoundError();
    return found;
  }

  /**
   * As `requireVisible`, and locks the post's row until the caller's transaction ends. Media are locked before posts,
   * comments after posts.
   */
  async lockVisible(tx: Transaction, asked: string, reading: Reading): Promise<VisiblePost> {
    const locked = await this.lockRow(tx, asked);
    await this.assertVisible(tx, locked, reading);
    return locked.post;
  }

  /**
   * As `lockVisible`, for commenting and voting. Also throws `ForbiddenError` if a moderator has no key for a private
   * post.
   */
  async lockToTakePart(tx: Transaction, asked: AskedPost, reading: Reading): Promise<VisiblePost> {
    const locked = await this.lockRow(tx, asked);
    await this.assertMayTakePart(tx, locked, reading);
    return locked.post;
  }

  /**
   * Locks the row of a post on which the caller has commented, to change the comment. Its author has found the post
   * already, so a hidden post need not be named by its slug. Returns the id of the post's owner. Throws
   * `NotFoundError` for a deleted post, and `ForbiddenError` if the caller may not comment on the post any more.
   */
  async holdToTakePart(
    tx: Transaction,
    postId: number,
    { viewer, accessKey = null }: Reading,
  ): Promise<number | null> {
    const post = await this.repository.lock(tx, { id: postId });
    if (!post) throw new NotFoundError();
    if (!canTakePart(post, viewer, accessKey, 'slug')) throw new ForbiddenError();
    await this.relations.assertReachable(tx, viewer, post.userId);
    return post.userId;
  }

  /** Locks a post's row without checking access; returns whether it exists. */
  async hold(tx: Transaction, postId: number): Promise<boolean> {
    return (await this.repository.lock(tx, { id: postId })) !== null;
  }

  /** Adds `by`, which may be negative, to a post's number of comments. The post's row must be locked. */
  changeCommentCount(tx: Transaction, postId: number, by: number): Promise<void> {
    return this.repository.changeCommentCount(tx, postId, by);
  }

  /**
   * Votes on a post, or removes a vote, as the ballot says. Throws `NotFoundError`, `ForbiddenError` (see
   * `lockToTakePart`), and `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  async vote(
    reference: string,
    caller: NonNullable<Viewer>,
    { accessKey, ...ballot }: PresentedBallot,
  ): Promise<VoteOutcome> {
    const reading = { viewer: caller, accessKey };
    return this.ballots.run(reference, { reference, reading, cast: { userId: caller.userId, ballot } });
  }

  /** Votes on the post that all ballots name. */
  private async castAll(
    tx: Transaction,
    requests: readonly SharedRequest<PostBallot>[],
  ): Promise<readonly (VoteOutcome | Error)[]> {
    const locked = await this.lockRow(tx, requests[0]!.item.reference);
    const outcomes = new Map<SharedRequest<PostBallot>, VoteOutcome | Error>();
    for (const request of requests) {
      const refusal = await refusalOf(() => this.assertMayTakePart(tx, locked, request.item.reading));
      if (refusal) outcomes.set(request, refusal);
    }
    const admitted = requests.filter((request) => !outcomes.has(request));
    const { id, score } = locked.post;
    const casts = admitted.map(({ item: { cast: item }, inContext }) => ({ item, inContext }));
    const cast = await this.votes.castAll(tx, { target: 'post', id, score }, casts, this.repository);
    admitted.forEach((request, at) => outcomes.set(request, cast[at]!));
    return requests.map((request) => outcomes.get(request)!);
  }

  /**
   * Removes up to `limit` votes on posts by an account that is being erased. Returns the number found: 0 if none are
   * left.
   */
  withdrawVotes(userId: number, limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const ids = await this.votes.findVotedOn(tx, 'post', userId, limit);
      const locked = await this.repository.lockAll(tx, ids);
      await this.votes.withdraw(tx, 'post', locked, userId, this.repository);
      return ids.length;
    });
  }

  private async showPage(
    { ids, total, seed, hidden }: RequestedPage,
    reading: Reading,
    shows: (view: ListedPost) => boolean,
  ): Promise<PostPage> {
    const listed = (await this.findListed(ids, reading)).filter(shows);
    const items = await this.relations.removeHidden(
      listed,
      hidden,
      reading.viewer,
      ({ post }) => post.userId,
    );
    return { items, total, seed };
  }

  private async lockRow(tx: Transaction, named: AskedPost): Promise<LockedPost> {
    const asked = readAsked(named);
    const post = asked && (await this.repository.lock(tx, asked.reference));
    if (!post) throw new NotFoundError();
    return { post, namedBy: asked.namedBy };
  }

  private async assertVisible(
    tx: Transaction,
    { post, namedBy }: LockedPost,
    { viewer, accessKey = null }: Reading,
  ): Promise<void> {
    if (!canSeePost(post, viewer, accessKey, namedBy)) throw new NotFoundError();
    await this.relations.assertReachable(tx, viewer, post.userId);
  }

  private async assertMayTakePart(tx: Transaction, locked: LockedPost, reading: Reading): Promise<void> {
    await this.assertVisible(tx, locked, reading);
    if (!canTakePart(locked.post, reading.viewer, reading.accessKey ?? null, locked.namedBy)) {
      throw new ForbiddenError();
    }
  }
}

interface LockedPost {
  readonly post: PostEntity;
  readonly namedBy: NamedBy;
}

interface PostBallot {
  readonly reference: string;
  readonly reading: Reading;
  readonly cast: CastBallot;
}

/**
 * How a caller names a post: by slug or numeric id, or by a comment that they vote on or report, which may be on a hidden post.
 */
export type AskedPost = string | { readonly ofComment: number };

function readAsked(post: AskedPost): { readonly reference: PostReference; readonly namedBy: NamedBy } | null {
  if (typeof post !== 'string') return { reference: { id: post.ofComment }, namedBy: 'slug' };
  const reference = readPostReference(post);
  return reference && { reference, namedBy: namedBy(reference) };
}
