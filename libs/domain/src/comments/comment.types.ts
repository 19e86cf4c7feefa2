import type { CommentListQuery, UserListQuery } from '@vitrine/contracts';
import type { PostAccess } from '../posts/post.rules';
import type { Author } from '../users/author.presenter';
import type { VoteState } from '../votes/vote.rules';

/** A comment's row. */
export interface Comment {
  readonly id: number;
  readonly postId: number;
  /** Null on a tombstone. */
  readonly userId: number | null;
  readonly parentId: number | null;
  readonly content: string;
  readonly score: number;
  readonly repliesCount: number;
  readonly createdAt: Date;
}

export type NewComment = Pick<Comment, 'postId' | 'parentId' | 'content'> & { readonly userId: number };

/** A comment with what its resource shows besides the row. */
export interface CommentView {
  readonly comment: Comment;
  readonly author: Author | null;
  /** The viewer's. */
  readonly vote: VoteState;
}

/** The post that a comment is on, with what decides who may see it. */
export type CommentedPost = Omit<PostAccess, 'accessKey'> & {
  readonly slug: string;
  readonly title: string | null;
};

/** A comment in the list of somebody's comments. */
export interface UserCommentView extends CommentView {
  /** Its title is null where the viewer may not see the post any more. */
  readonly post: Pick<CommentedPost, 'slug' | 'title'>;
}

/** One page of a list of comments. */
export interface CommentPage<View extends CommentView> {
  readonly comments: readonly View[];
  /** Comments of the whole list. */
  readonly total: number;
}

/** Which page of a post's comments. */
export type CommentPageRequest = Pick<CommentListQuery, 'page' | 'limit' | 'sort'> & {
  /** Only the direct replies to this comment; null for all comments. */
  readonly parentId: number | null;
};

/** Which page of an account's comments. */
export type UserCommentPageRequest = Pick<UserListQuery, 'page' | 'limit' | 'period' | 'nsfw'>;
