import type { Comment } from '@vitrine/client';
import type { JSX } from 'preact';
import { Ago } from '../components/ago';

interface CommentItemProps {
  readonly comment: Comment;
}

/** A comment in a list, with its author. */
export function CommentItem({ comment }: CommentItemProps): JSX.Element {
  return (
    <li class="comment" id={`c${comment.id}`}>
      <p>
        {comment.user && <a href={`/u/${comment.user.username}`}>{comment.user.username}</a>}{' '}
        <Ago at={comment.created_at} />
      </p>
      <p class="comment-text">{comment.content}</p>
    </li>
  );
}
