import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { counted } from '../components/counted';

/** How it stands with a post, in sentences for its owner; a word for others where it matters to them. */
export function PostStatus({ post }: { readonly post: Post }): JSX.Element | null {
  if (post.visibility === undefined) {
    return post.moderation_status === 'rejected' ? (
      <p class="callout danger">Rejected. Only its owner and moderators see it.</p>
    ) : null;
  }
  const notes = [moderationNote(post), visibilityNote(post), processingNote(post), failureNote(post)];
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

function visibilityNote({ visibility }: Post): Note | null {
  if (visibility === 'hidden') return { text: 'Hidden: no feed shows it; whoever has the link can see it.' };
  if (visibility === 'private') {
    return { text: 'Private: only you see it, and whoever has the link with its key (under Share).' };
  }
  return null;
}

function processingNote({ media }: Post): Note | null {
  const waiting = media.filter((one) => !one.processed && one.processing_error === null).length;
  if (waiting === 0) return null;
  return { text: `${counted(waiting, 'file is', 'files are')} still being prepared in other sizes.` };
}

function failureNote({ media }: Post): Note | null {
  const failed = media.filter((one) => one.processing_error !== null).length;
  if (failed === 0) return null;
  return { kind: 'danger', text: `${counted(failed, 'file', 'files')} could not be processed; see below.` };
}
