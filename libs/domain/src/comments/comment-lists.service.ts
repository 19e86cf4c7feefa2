import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import { canSeePost } from '../posts/post.rules';
import { PostsService } from '../posts/posts.service';
import { AuthorsService } from '../users/authors.service';
import { VotesService } from '../votes/votes.service';
import { CommentListRepository, type ListPart, type UserComment } from './comment-list.repository';
import { statusesOthersFind, wrote } from './comment.rules';
import type {
  Comment,
  CommentPage,
  CommentPageRequest,
  CommentView,
  UserCommentPageRequest,
  UserCommentView,
} from './comment.types';

/** Reading comments, one or a list; each list costs the same number of statements whatever its length. */
@Injectable()
export class CommentListsService {
  constructor(
    private readonly repository: CommentListRepository,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly votes: VotesService,
  ) {}

  /**
   * One page of a post's comments, replies and tombstones among them, or of the direct replies to one of them. Of
   * a `parentId` that is no comment of this post there are none. Throws `NotFoundError` where there is no such post,
   * or `viewer` may not know of it.
   */
  async findPostPage(
    post: string,
    viewer: Viewer,
    key: string | null,
    { sort = 'oldest', parentId, ...request }: CommentPageRequest,
  ): Promise<CommentPage<CommentView>> {
    const { id } = await this.posts.requireVisible(post, viewer, key);
    const [total, comments] = await Promise.all([
      this.repository.countOfPost(id, parentId),
      this.repository.findOfPost(id, parentId, sort, partOf(request)),
    ]);
    return { comments: await this.view(comments, viewer), total };
  }

  /**
   * One comment, for the account that wrote it and for those who may see its post by the post's id. Throws
   * `NotFoundError`, also for deleted ones.
   */
  async findForViewer(id: number, viewer: Viewer, key: string | null): Promise<CommentView> {
    const comment = await this.repository.findOne(id);
    if (!comment) throw new NotFoundError();
    const isWriter = viewer !== null && wrote(comment, viewer);
    // Ids can be enumerated, so a comment's id shows no more of a hidden post than the post's own id.
    if (!isWriter) await this.posts.requireVisible(String(comment.postId), viewer, key);
    const [view] = await this.view([comment], viewer);
    if (!view) throw new NotFoundError();
    return view;
  }

  /**
   * One page of an account's comments, the latest first: to itself all, to others those on public posts that aren't
   * rejected, on nsfw ones where they ask for it. Throws `NotFoundError` where there is no such account.
   */
  async findUserPage(
    username: string,
    viewer: Viewer,
    { period = 'all', nsfw = false, ...request }: UserCommentPageRequest,
  ): Promise<CommentPage<UserCommentView>> {
    const userId = await this.authors.findUserId(username);
    if (userId === null) throw new NotFoundError();
    const filter = { period, statuses: viewer?.userId === userId ? null : statusesOthersFind(nsfw) };
    const [total, rows] = await Promise.all([
      this.repository.countOfUser(userId, filter),
      this.repository.findOfUser(userId, filter, partOf(request)),
    ]);
    return { comments: await this.viewWithPosts(rows, viewer), total };
  }

  /**
   * Comments by their ids, for moderators: whoever may see their posts. Those that are deleted are left out.
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
      // Whoever commented once may have been shut out since, and a title may have been changed since.
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
