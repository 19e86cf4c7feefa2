import type { Media, MediaDetails } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { ShareMenu } from '../components/share-menu';
import { postPath } from '../links/paths';
import { pendingCheck } from '../components/pending-check';
import { isUnlisted } from '../components/tile';
import { ReportForm } from '../components/report-form';
import { MediaOwnerPanel } from '../post-editing/media-owner-panel';
import { useVisit } from '../components/visit-context';
import { Byline } from './byline';
import { EmbedCodeFields } from './embed-code-fields';
import { UNTITLED } from './media-metadata';
import { MediaFigure } from './media-figure';
import { TagLinks } from './tag-links';

/** The page of a media item. */
export function MediaPage({ media }: { readonly media: MediaDetails }): JSX.Element {
  const { visit, viewer, urls } = useVisit();
  const own = viewer !== null && viewer.username === media.user?.username;
  const page = `${urls.site}/m/${media.slug}`;
  return (
    <article class="post">
      <header class="post-head">
        <h1 dir="auto" data-live="title">
          {media.title ?? UNTITLED}
        </h1>
        {media.post && (
          <p>
            In the post{' '}
            <a href={postPath(media.post.slug)} dir="auto">
              {media.post.title ?? UNTITLED}
            </a>
          </p>
        )}
        <Byline author={media.user} at={media.created_at} />
        <div data-live="status" data-due={(own && media.moderation_status === 'pending') || undefined}>
          <MediaStatus media={media} own={own} />
        </div>
      </header>
      <div class="post-pictures" data-live="media">
        <MediaFigure
          media={media}
          position={1}
          count={1}
          pageTitle={media.title}
          page={page}
          eager
          veiled={media.moderation_status === 'nsfw' && !visit.showsNsfw && !own}
          withCodes={false}
        />
      </div>
      <div class="post-side">
        <div class="post-about">
          <div class="post-actions">
            <ShareMenu>
              <CopyField label="Link" value={page} id="share-link" />
              <EmbedCodeFields
                media={media}
                page={page}
                alt={media.alt_text ?? media.title ?? ''}
                id="share"
              />
            </ShareMenu>
            {!own && <ReportForm type="media" target={media.slug} />}
          </div>
          <TagLinks tags={media.tags} />
          <MediaOwnerPanel media={media} />
        </div>
      </div>
    </article>
  );
}

function MediaStatus({ media, own }: { readonly media: Media; readonly own: boolean }): JSX.Element | null {
  const { moderation_status: status } = media;
  if (status === 'rejected') {
    return <p class="callout danger small">Rejected. Only its owner and moderators can see it.</p>;
  }
  if (!own) return null;
  if (status === 'pending') {
    return <p class="callout small">{pendingCheck(media)} It appears in the feeds once it is approved.</p>;
  }
  if (isUnlisted(media)) {
    return (
      <p class="callout small">
        Unlisted: only people with the link can find it, until it is in a public post.
      </p>
    );
  }
  return status === 'nsfw' ? <p class="callout small">Adult content: others must click to see it.</p> : null;
}
