import type { CommentResource, UserCommentResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { CommentView, UserCommentView } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The resource of a comment. A tombstone has no author, and the content `[deleted]`. */
export const presentComment = (
  { comment, author, vote }: CommentView,
  urls: PublicUrlsConfig,
): CommentResource => ({
  id: comment.id,
  content: comment.content,
  user_id: comment.userId,
  post_id: comment.postId,
  parent_id: comment.parentId,
  score: comment.score,
  isUpvotedByUser: vote === 1,
  isDownvotedByUser: vote === -1,
  replies_count: comment.repliesCount,
  created_at: comment.createdAt.toISOString(),
  edited_at: comment.editedAt?.toISOString() ?? null,
  user: presentAuthor(author, urls),
});

/** The resource of a comment in the list of a user's comments. */
export const presentUserComment = (view: UserCommentView, urls: PublicUrlsConfig): UserCommentResource => ({
  ...presentComment(view, urls),
  post: { slug: view.post.slug, title: view.post.title },
});
