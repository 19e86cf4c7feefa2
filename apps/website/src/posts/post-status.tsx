import type { Media, Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { pendingCheck } from '../components/pending-check';
import { pluralize } from '../components/words';

/** Whether the status changes by itself soon: the post is checked, or a file is processed. */
export const isDue = ({ visibility, moderation_status, media }: Post): boolean =>
  (visibility !== undefined && moderation_status === 'pending') || media.some(isProcessing);

const isProcessing = ({ processed, processing_error }: Media): boolean =>
  !processed && processing_error === null;

/** The moderation and processing state of a post, for its owner in detail. The owner panel shows the visibility. */
export function PostStatus({ post }: { readonly post: Post }): JSX.Element | null {
  if (post.visibility === undefined) {
    return post.moderation_status === 'rejected' ? (
      <p class="callout danger">Rejected. Only its owner and moderators can see it.</p>
    ) : null;
  }
  const notes = [moderationNote(post), processingNote(post), failureNote(post)];
  const shown = notes.filter((note) => note !== null);
  if (shown.length === 0) return null;
  return (
    <ul class="post-status plain-list" aria-label="Status of your post">
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

function moderationNote(post: Post): Note | null {
  const { moderation_status: status, visibility } = post;
  if (status === 'rejected') {
    return {
      kind: 'danger',
      text: 'Rejected because it breaks the rules. Only you and the moderators can see it.',
    };
  }
  if (status === 'pending') {
    const check = pendingCheck(post);
    return visibility === 'public'
      ? {
          text: `${check} Anyone with the link can already see it. It appears in the feeds once it is approved.`,
        }
      : { text: check };
  }
  if (status !== 'nsfw') return null;
  return visibility === 'public'
    ? {
        text: 'Adult content: feeds show it only to people who chose to see it, and others must click to see it here.',
      }
    : { text: 'Adult content: others must click to see it.' };
}

function processingNote({ media }: Post): Note | null {
  const waiting = media.filter(isProcessing).length;
  if (waiting === 0) return null;
  return { text: `${pluralize(waiting, 'file is', 'files are')} still being processed.` };
}

function failureNote({ media }: Post): Note | null {
  const failed = media.filter((one) => one.processing_error !== null).length;
  if (failed === 0) return null;
  return { kind: 'danger', text: `${pluralize(failed, 'file')} could not be processed; see below.` };
}
