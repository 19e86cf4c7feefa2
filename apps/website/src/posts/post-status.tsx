import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { counted } from '../components/counted';

/**
 * How moderation and processing stand with a post, in sentences for its owner; a word for others where it matters to
 * them. Its visibility is the owner panel's to tell.
 */
export function PostStatus({ post }: { readonly post: Post }): JSX.Element | null {
  if (post.visibility === undefined) {
    return post.moderation_status === 'rejected' ? (
      <p class="callout danger">Rejected. Only its owner and moderators see it.</p>
    ) : null;
  }
  const notes = [moderationNote(post), processingNote(post), failureNote(post)];
  const shown = notes.filter((note) => note !== null);
  if (shown.length === 0) return null;
  return (
    <ul class="post-status plain-list" aria-label="How it stands with your post">
      {shown.map(({ kind, text }) => (
        <li class={kind === undefined ? 'callout small' : `callout small ${kind}`}>{text}</li>
      ))}
    </ul>
  );
}

interface Note {
  readonly kind?: 'danger';
  readonly text: string;
}

function moderationNote({ moderation_status: status, visibility }: Post): Note | null {
  if (status === 'rejected') {
    return {
      kind: 'danger',
      text: 'Rejected: it breaks the rules. Nobody but you and the moderators sees it.',
    };
  }
  if (status === 'pending') {
    return visibility === 'public'
      ? { text: 'Being checked. Whoever has the link can see it already; feeds show it once it has passed.' }
      : { text: 'Being checked.' };
  }
  if (status !== 'nsfw') return null;
  return visibility === 'public'
    ? {
        text: 'Adult content: feeds show it only to those who asked for that, and here it waits behind a click.',
      }
    : { text: 'Adult content: others see it after a click.' };
}

function processingNote({ media }: Post): Note | null {
  const waiting = media.filter((one) => !one.processed && one.processing_error === null).length;
  if (waiting === 0) return null;
  return { text: `${counted(waiting, 'file is', 'files are')} still being prepared in other sizes.` };
}

function failureNote({ media }: Post): Note | null {
  const failed = media.filter((one) => one.processing_error !== null).length;
  if (failed === 0) return null;
  return { kind: 'danger', text: `${counted(failed, 'file')} could not be processed; see below.` };
}
