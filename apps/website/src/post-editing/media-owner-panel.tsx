import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { isVideo } from '../components/picture';
import { useVisit } from '../components/visit-context';
import { mediaEditPath } from './media-details';

/**
 * The panel that only the uploader sees on a media item's page. Needs `editing.css`; `editing.js` opens the editor over
 * the page.
 */
export function MediaOwnerPanel({ media }: { readonly media: Media }): JSX.Element | null {
  const { viewer, visit } = useVisit();
  if (!viewer || media.user?.username !== viewer.username) return null;
  return (
    <aside class="owner-panel" aria-label="Your file">
      <div class="owner-line">
        <p class="owner-state">You uploaded this.</p>
        <a
          class="button"
          href={mediaEditPath(media.slug, visit.path)}
          data-editor={`Edit your ${isVideo(media) ? 'video' : 'picture'}`}
        >
          <Icon name="edit" />
          Edit
        </a>
      </div>
    </aside>
  );
}
