import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../base/access/viewer';
import { NotFoundError } from '../../base/errors/domain-error';
import { canSeePost } from '../../posts/rows/post.rules';
import { PostsService } from '../../posts/posts/posts.service';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { RelationsService } from '../relations/relations.service';
import { VotesService } from '../votes/votes.service';
import { CommentListRepository, type ListPart, type UserComment } from './comment-list.repository';
import {
  asSeenInThread,
  canSeeComment,
  nameOfPost,
  statusesVisibleToOthers,
  isAuthorOf,
} from './comment.rules';
import type {
  Comment,
  CommentPage,
  CommentPageRequest,
  CommentView,
  NamedComment,
  UserCommentPageRequest,
  UserCommentView,
} from './comment.types';
import type { Reading } from '../../base/access/reading';

/** Reads single comments and lists. The number of statements for a list doesn't depend on its length. */
@Injectable()
export class CommentListsService {
  constructor(
    private readonly repository: CommentListRepository,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly votes: VotesService,
    private readonly relations: RelationsService,
  ) {}

  /**
   * One page of a post's comments, including replies and tombstones, or of the direct replies to one comment; the
   * page is empty if `parentId` isn't a comment of this post. Throws `NotFoundError` for a post that the viewer can't
   * see. Comments of people whom the viewer blocks or mutes, or who block the viewer, are left out and not counted.
   */
  async findPostPage(
    post: string,
    reading: Reading,
    { sort = 'oldest', parentId, ...request }: CommentPageRequest,
  ): Promise<CommentPage<CommentView>> {
    const [{ id }, hidden] = await Promise.all([
      this.posts.requireVisible(post, reading),
      this.relations.findHidden(reading.viewer),
    ]);
    const list = { postId: id, parentId, hidden: [...hidden] };
    const [total, comments] = await Promise.all([
      this.repository.countOfPost(list),
      this.repository.findOfPost(list, sort, partOf(request)),
    ]);
    const seen = comments.map((comment) => asSeenInThread(comment, reading.viewer));
    return { comments: await this.view(seen, reading.viewer), total };
  }

  /**
   * One comment. Its author may read it, and others if they may see its post as the request names it. Throws
   * `NotFoundError`, also for deleted comments.
   */
  async findForViewer({ id, post }: NamedComment, reading: Reading): Promise<CommentView> {
    const { viewer } = reading;
    const comment = await this.repository.findOne(id);
    if (!comment || !canSeeComment(comment, viewer)) throw new NotFoundError();
    const isWriter = viewer !== null && isAuthorOf(comment, viewer);
    if (!isWriter) {
      const visible = await this.posts.requireVisible(nameOfPost(comment, post), reading);
      if (visible.id !== comment.postId) throw new NotFoundError();
      await this.relations.assertVisible(viewer, comment.userId);
    }
    const [view] = await this.view([comment], viewer);
    if (!view) throw new NotFoundError();
    return view;
  }

  /**
   * One page of a user's comments, the latest first. The user sees all of them; others see those on public posts that
   * aren't rejected, and on nsfw posts only with `nsfw`. Throws `NotFoundError` for an unknown username.
   */
  async findUserPage(
    username: string,
    viewer: Viewer,
    { period = 'all', nsfw = false, ...request }: UserCommentPageRequest,
  ): Promise<CommentPage<UserCommentView>> {
    const userId = await this.authors.findUserId(username);
    if (userId === null) throw new NotFoundError();
    await this.relations.assertVisible(viewer, userId);
    const filter = { period, statuses: viewer?.userId === userId ? null : statusesVisibleToOthers(nsfw) };
    const [total, rows] = await Promise.all([
      this.repository.countOfUser(userId, filter),
      this.repository.findOfUser(userId, filter, partOf(request)),
    ]);
    // The total counts comments on posts that the viewer doesn't see because of a block.
    const blocked = await this.relations.findBlockedAmong(
      viewer,
      rows.map(({ post }) => post.userId),
    );
    const shown = rows.filter(({ post }) => post.userId === null || !blocked.has(post.userId));
    return { comments: await this.viewWithPosts(shown, viewer), total };
  }

  /**
   * Comments by their ids, for moderators, who may see all posts. Deleted comments are left out.
   */
  async findViews(ids: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, UserCommentView>> {
    const rows = ids.length === 0 ? [] : await this.repository.findByIds(ids);
    const views = await this.viewWithPosts(rows, viewer);
    return new Map(views.map((view) => [view.comment.id, view]));
  }

  private async viewWithPosts(rows: readonly UserComment[], viewer: Viewer): Promise<UserCommentView[]> {
    const views = await this.view(rows, viewer);
    return views.flatMap((view, index) => {
      const row = rows[index];
      if (!row) return [];
      // The viewer may have lost access to the post since commenting, and the title may have changed since.
      const { slug, title, ...access } = row.post;
      const visible = canSeePost({ ...access, accessKey: null }, viewer, null, 'slug');
      return [{ ...view, post: { slug, title: visible ? title : null } }];
    });
  }

  private async view(comments: readonly Comment[], viewer: Viewer): Promise<CommentView[]> {
    const ids = comments.map(({ id }) => id);
    const [authors, votes] = await Promise.all([
      this.authors.findAuthors(comments.map(({ userId }) => userId)),
      this.votes.findVotes(viewer?.userId ?? null, 'comment', ids),
    ]);
    return comments.map((comment) => ({
      comment,
      author: comment.userId === null ? null : (authors.get(comment.userId) ?? null),
      vote: votes.get(comment.id) ?? 0,
    }));
  }
}

const partOf = ({ page, limit }: { readonly page: number; readonly limit: number }): ListPart => ({
  limit,
  offset: (page - 1) * limit,
});
