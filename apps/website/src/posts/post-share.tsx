import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { ShareMenu } from '../components/share-menu';
import { Icon } from '../components/icon';
import { EmbedCodeFields } from '../media/embed-code-fields';
import { useVisit } from '../components/visit-context';
import { postPath } from '../links/paths';

interface PostShareProps {
  readonly post: Post;
  readonly accessKey: string | undefined;
  /** Address to which an embedded picture links; null if others can't open it. */
  readonly page: string | null;
}

/** The link to a post, and the embed codes if it has one media item. */
export function PostShare({ post, accessKey, page }: PostShareProps): JSX.Element {
  const { urls } = useVisit();
  const key = post.access_key ?? accessKey;
  const link = urls.site + postPath(post.slug, { key });
  const [media] = post.media;
  return (
    <ShareMenu>
      {key !== undefined && (
        <p class="callout small">This post is private. Anyone with this link can see it and share it.</p>
      )}
      <CopyField label={key === undefined ? 'Link' : 'Secret link'} value={link} id="share-link" />
      <button
        type="button"
        class="button"
        data-share={link}
        data-share-title={post.title ?? undefined}
        hidden
      >
        <Icon name="share" />
        <span>Share with an app</span>
      </button>
      {post.media_count === 1 && media !== undefined && (
        <EmbedCodeFields
          media={media}
          page={page}
          alt={media.alt_text ?? media.title ?? post.title ?? ''}
          id="share"
        />
      )}
    </ShareMenu>
  );
}
