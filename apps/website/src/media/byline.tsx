import type { Author } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Ago } from '../components/ago';
import { Avatar } from '../components/avatar';

interface BylineProps {
  /** Null for a guest, and for who has deleted their account. */
  readonly author: Author | null;
  /** ISO 8601. */
  readonly at: string;
  /** What can be done about the author. */
  readonly children?: ComponentChildren;
}

/** Who made it, and when. */
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
          <Ago at={at} />
        </span>
      </div>
      {children}
    </div>
  );
}
