import type { Author } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';
import { Avatar } from '../components/avatar';

interface BylineProps {
  /** Null for a guest and for a deleted account. */
  readonly author: Author | null;
  /** ISO 8601. */
  readonly at: string;
  /** Actions concerning the author. */
  readonly children?: ComponentChildren;
}

/** The author and the time of creation. */
export function Byline({ author, at, children }: BylineProps): JSX.Element {
  return (
    <div class="byline">
      {author && <Avatar user={author} size={40} />}
      <div class="byline-words">
        {author ? (
          <a class="byline-author" href={`/u/${author.username}`}>
            {author.username}
          </a>
        ) : (
          <span class="byline-author">A guest</span>
        )}
        <span class="quiet small">
          <RelativeTime at={at} />
        </span>
      </div>
      {children}
    </div>
  );
}
