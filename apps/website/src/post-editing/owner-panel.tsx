import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';

interface OwnerPanelProps {
  readonly post: Post;
}

/** What the owner of a post finds on its page. Nothing for anybody else. */
export function OwnerPanel({ post }: OwnerPanelProps): JSX.Element | null {
  if (post.visibility === undefined) return null;
  return (
    <aside class="owner-panel" aria-label="Your post">
      <a class="button" href={`/p/${post.slug}/edit`}>
        Edit
      </a>
    </aside>
  );
}
