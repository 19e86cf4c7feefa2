import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { VISIBILITIES } from '../components/visibilities';
import { KeyLink } from './key-link';
import { editPath } from './owner-access';

interface OwnerPanelProps {
  readonly post: Post;
}

/**
 * The panel that only the owner sees on a post's page. Needs `editing.css`; `editing.js` opens the editor over the
 * page.
 */
export function OwnerPanel({ post }: OwnerPanelProps): JSX.Element | null {
  const { visibility, access_key: accessKey, slug } = post;
  if (visibility === undefined) return null;
  const { name, meaning, icon } = VISIBILITIES[visibility];
  return (
    <aside class="owner-panel" aria-label="Your post" data-live="owner-panel">
      <div class="owner-line">
        <p class="owner-state">
          <Icon name={icon} />
          <span>
            <strong>{name}.</strong> {meaning}
          </span>
        </p>
        <a class="button" href={`/p/${slug}/statistics`}>
          <Icon name="eye" />
          Views
        </a>
        <a class="button" href={editPath(slug)} data-editor="Edit your post">
          <Icon name="edit" />
          Edit
        </a>
      </div>
      {visibility === 'private' && typeof accessKey === 'string' && (
        <KeyLink slug={slug} accessKey={accessKey} id="owner-key" />
      )}
    </aside>
  );
}
