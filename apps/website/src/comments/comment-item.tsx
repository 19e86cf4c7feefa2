import type { Comment } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';
import { Avatar } from '../components/avatar';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { RichText } from '../components/rich-text';
import { VoteButtons } from '../components/vote-buttons';
import { commentPath, postPath } from '../links/paths';
import { useVisit } from '../components/visit-context';
import type { Viewer } from '../visits/viewers';
import { type Thread, withThread } from './thread';

interface CommentItemProps {
  readonly comment: Comment;
  readonly thread: Thread;
  /** Username of the author it replies to, if that comment is on the same page; else null. */
  readonly repliesTo?: string | null;
  /** The replies that are shown below it. */
  readonly children?: ComponentChildren;
}

/** A comment in a list with the replies to it, or the placeholder of a deleted comment. */
export function CommentItem({ comment, thread, repliesTo = null, children }: CommentItemProps): JSX.Element {
  const { id, user } = comment;
  return (
    // Focusable, so that keyboard navigation starts here if the address names this comment.
    <li class="comment" id={`c${id}`} tabIndex={-1} data-comment={id} data-replies={comment.replies_count}>
      {user === null ? (
        <DeletedComment />
      ) : (
        <LivingComment comment={comment} author={user} thread={thread} repliesTo={repliesTo} />
      )}
      {children}
    </li>
  );
}

/** The placeholder for a deleted comment that has replies. */
export function DeletedComment(): JSX.Element {
  return (
    <div class="comment-body comment-deleted">
      <p class="quiet">This comment was deleted.</p>
    </div>
  );
}

interface LivingCommentProps {
  readonly comment: Comment;
  readonly author: NonNullable<Comment['user']>;
  readonly thread: Thread;
  readonly repliesTo: string | null;
}

function LivingComment({ comment, author, thread, repliesTo }: LivingCommentProps): JSX.Element {
  const { viewer } = useVisit();
  const { id, content } = comment;
  return (
    <article class="comment-body" aria-label={`Comment by ${author.username}`}>
      <header class="comment-head">
        <Avatar user={author} size={24} />
        <a class="comment-author" href={`/u/${author.username}`}>
          {author.username}
        </a>
        {author.username === thread.author && <span class="comment-badge">Author</span>}
        <a class="comment-time" href={commentPath(thread, id)} title="Link to this comment">
          <RelativeTime at={comment.created_at} />
        </a>
        {comment.edited_at !== null && (
          <span class="comment-edited">
            edited <RelativeTime at={comment.edited_at} />
          </span>
        )}
        {comment.parent_id !== null && (
          <a
            class="comment-parent"
            href={repliesTo === null ? commentPath(thread, comment.parent_id) : `#c${comment.parent_id}`}
          >
            {repliesTo === null ? 'in reply to another comment' : `in reply to ${repliesTo}`}
          </a>
        )}
      </header>
      <RichText text={content} />
      <footer class="comment-foot">
        <VoteButtons
          action={withThread(`/comments/${id}/vote`, thread)}
          score={comment.score}
          up={comment.isUpvotedByUser}
          down={comment.isDownvotedByUser}
          label={`${author.username}’s comment`}
          of="comment"
        />
        {viewer && (
          <a class="comment-action" href={repliesPath(thread, id)} data-reply={author.username}>
            <Icon name="comment" size={18} />
            <span>
              Reply<span class="visually-hidden"> to {author.username}</span>
            </span>
          </a>
        )}
        <CommentMenu comment={comment} author={author.username} thread={thread} viewer={viewer} />
      </footer>
    </article>
  );
}

/** Path of the page with a comment, its replies and the reply form. */
export const repliesPath = (thread: Thread, id: number): string =>
  withThread(`${postPath(thread.slug)}/comments/${id}`, thread);

/** Path of the page on which its author edits a comment. */
export const editPath = (thread: Thread, id: number): string =>
  withThread(`${postPath(thread.slug)}/comments/${id}/edit`, thread);

interface CommentMenuProps {
  readonly comment: Comment;
  readonly author: string;
  readonly thread: Thread;
  readonly viewer: Viewer | null;
}

/** The menu of a comment: editing, reporting and deleting it. */
function CommentMenu({ comment: { id }, author, thread, viewer }: CommentMenuProps): JSX.Element | null {
  if (!viewer) return null;
  const isOwn = viewer.username === author;
  const mayDelete = isOwn || viewer.username === thread.author || viewer.role !== 'user';
  const report = new URLSearchParams({
    type: 'comment',
    target: String(id),
    post: thread.slug,
    next: thread.page,
    ...(thread.key !== undefined && { key: thread.key }),
  });
  return (
    <details class="menu comment-menu" data-menu>
      <summary aria-label={`More actions for ${author}’s comment`}>
        <Icon name="more" />
      </summary>
      <div class="menu-items">
        {!isOwn && (
          <a href={`/reports?${report.toString()}`} rel="nofollow">
            <Icon name="flag" size={18} />
            Report
          </a>
        )}
        {isOwn && (
          <a href={editPath(thread, id)} rel="nofollow">
            <Icon name="edit" size={18} />
            Edit
          </a>
        )}
        {mayDelete && (
          <details class="comment-delete">
            <summary>
              <Icon name="trash" size={18} />
              Delete …
            </summary>
            <PostForm action={withThread(`/comments/${id}/delete`, thread)} data-enhance="delete-comment">
              <p>Delete {isOwn ? 'your' : `${author}’s`} comment? This can’t be undone.</p>
              <button class="button danger">Delete comment</button>
            </PostForm>
          </details>
        )}
      </div>
    </details>
  );
}
