import type { ModerationStatus } from '@vitrine/contracts';
import { isModerator, type Viewer } from '../media/media.rules';

/** What a tombstone says. */
export const TOMBSTONE = '[deleted]';

/** A comment as far as its deletion, or that of one below it, needs to know it. */
export interface ThreadLink {
  readonly id: number;
  readonly parentId: number | null;
  /** Direct replies, tombstones among them. */
  readonly repliesCount: number;
  readonly isTombstone: boolean;
}

/** What becomes of a thread when a comment is deleted. */
export interface ThreadChange {
  /** The comment, where its replies keep its place. */
  readonly tombstone: number | null;
  /** What goes: the comment, and the tombstones above it that have no other reply. */
  readonly gone: readonly number[];
  /** Who has one reply less. */
  readonly losesReply: number | null;
}

/**
 * Deletes the first of `chain`; behind it come the comments above it, the nearest first, as far up as they may go
 * with it, and one more. A comment with replies stays as a tombstone. One without goes, and takes with it each
 * tombstone above whose last reply went.
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

/** Who may delete a comment: whoever wrote it, the post's owner, and the moderators. */
export const canDeleteComment = (
  comment: { readonly userId: number | null },
  post: { readonly userId: number | null },
  viewer: NonNullable<Viewer>,
): boolean => wrote(comment, viewer) || post.userId === viewer.userId || isModerator(viewer);

/** Tombstones are nobody's. */
export const wrote = (comment: { readonly userId: number | null }, viewer: NonNullable<Viewer>): boolean =>
  comment.userId === viewer.userId;

/**
 * Of posts of which status others find somebody's comments. Posts that aren't public are left out besides; the list
 * must not give away a post that its reader couldn't see.
 */
export const statusesOthersFind = (nsfw: boolean): readonly ModerationStatus[] =>
  nsfw ? ['approved', 'pending', 'nsfw'] : ['approved', 'pending'];
