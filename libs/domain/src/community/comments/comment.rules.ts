import type { ModerationStatus } from '@vitrine/contracts';
import { isModerator, type Viewer } from '../../base/access/viewer';
import type { Comment } from './comment.types';

/** The content of a tombstone. */
export const TOMBSTONE = '[deleted]';

/** The facts about a comment that are needed to delete it, or one of its replies. */
export interface ThreadLink {
  readonly id: number;
  readonly parentId: number | null;
  /** The number of direct replies, including tombstones. */
  readonly repliesCount: number;
  readonly isTombstone: boolean;
}

/** The change of a thread when a comment is deleted. */
export interface ThreadChange {
  /** The id of the comment if it becomes a tombstone, because it has replies. */
  readonly tombstone: number | null;
  /** The ids that are removed: the comment, and the tombstones above it that have no other reply. */
  readonly gone: readonly number[];
  /** The id of the comment that loses a reply. */
  readonly losesReply: number | null;
}

/**
 * Says how to delete the first comment of `chain`. It is followed by the comments above it, the nearest first, as
 * `CommentRepository.lockChain` returns them. A comment with replies becomes a tombstone. A comment without replies
 * is removed, together with each tombstone above it that loses its last reply.
 */
export function deleteFromThread(chain: readonly ThreadLink[]): ThreadChange {
  const [comment, ...above] = chain;
  if (!comment) throw new Error('There is no comment to delete');
  if (comment.repliesCount > 0) return { tombstone: comment.id, gone: [], losesReply: null };
  const staying = above.findIndex((link) => !goesWithItsReply(link));
  const gone = [comment, ...above.slice(0, staying === -1 ? above.length : staying)];
  return {
    tombstone: null,
    gone: gone.map(({ id }) => id),
    losesReply: above[staying]?.id ?? null,
  };
}

const goesWithItsReply = (link: ThreadLink): boolean => link.isTombstone && link.repliesCount === 1;

/**
 * How a request that reads or changes a comment names its post. Ids can be enumerated, so the id of a comment gives no more access to a
 * hidden post than the id of the post does.
 */
export const nameOfPost = (comment: { readonly postId: number }, post: string | null | undefined): string =>
  post ?? String(comment.postId);

/** Whether the viewer may delete a comment: its author, the owner of the post and moderators may. */
export const canDeleteComment = (
  comment: { readonly userId: number | null },
  post: { readonly userId: number | null },
  viewer: NonNullable<Viewer>,
): boolean => isAuthorOf(comment, viewer) || post.userId === viewer.userId || isModerator(viewer);

/** Whether the viewer may see a comment. Only moderators see those of suspended accounts. */
export const canSeeComment = (comment: Pick<Comment, 'isHidden'>, viewer: Viewer): boolean =>
  !comment.isHidden || isModerator(viewer);

/** A comment as the viewer sees it in a thread: like a tombstone, if only its replies may be seen. */
export const asSeenInThread = (comment: Comment, viewer: Viewer): Comment =>
  canSeeComment(comment, viewer) ? comment : { ...comment, content: TOMBSTONE, userId: null, editedAt: null };

/** Whether the viewer is the comment's author; a tombstone has none. */
export const isAuthorOf = (
  comment: { readonly userId: number | null },
  viewer: NonNullable<Viewer>,
): boolean => comment.userId === viewer.userId;

/**
 * The statuses of posts whose comments others find in a user's list. Comments on posts that aren't public are left
 * out too, so that the list doesn't reveal posts that its reader can't see.
 */
export const statusesVisibleToOthers = (nsfw: boolean): readonly ModerationStatus[] =>
  nsfw ? ['approved', 'pending', 'nsfw'] : ['approved', 'pending'];
