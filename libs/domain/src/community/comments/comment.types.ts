import type { CommentListQuery, UserListQuery } from '@vitrine/contracts/api';
import type { PostAccess } from '../../posts/rows/post.rules';
import type { Author } from '../../accounts/authors/author.types';
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
  /** When its author last changed the content; null if never, and on a tombstone. */
  readonly editedAt: Date | null;
  /** Whether its author is suspended, so that only moderators may see it. */
  readonly isHidden: boolean;
}

export type NewComment = Pick<Comment, 'postId' | 'parentId' | 'content'> & { readonly userId: number };

/** A comment as a request names it: by its id, and by the slug or id of its post. */
export interface NamedComment {
  readonly id: number;
  /** Absent or null if the request names only the comment. */
  readonly post?: string | null;
}

/** A comment with what its resource shows in addition to the row. */
export interface CommentView {
  readonly comment: Comment;
  readonly author: Author | null;
  /** The viewer's vote. */
  readonly vote: VoteState;
}

/** The post of a comment, with what decides who may see it. */
export type CommentedPost = Omit<PostAccess, 'accessKey'> & {
  readonly slug: string;
  readonly title: string | null;
};

/** A comment in the list of a user's comments. */
export interface UserCommentView extends CommentView {
  /** The title is null if the viewer can't see the post any more. */
  readonly post: Pick<CommentedPost, 'slug' | 'title'>;
}

/** One page of a list of comments. */
export interface CommentPage<View extends CommentView> {
  readonly comments: readonly View[];
  /** The number of comments in the whole list. */
  readonly total: number;
}

/** Which page of a post's comments. */
export type CommentPageRequest = Pick<CommentListQuery, 'page' | 'limit' | 'sort'> & {
  /** Only the direct replies to this comment; null for all comments. */
  readonly parentId: number | null;
};

/** Which page of a user's comments. */
export type UserCommentPageRequest = Pick<UserListQuery, 'page' | 'limit' | 'period' | 'nsfw'>;
