import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { isVideo, sourcesOf } from '../components/picture';
import { VideoPlayer } from './video-player';

interface EmbedPageProps {
  readonly media: Media;
  readonly siteName: string;
  readonly stylesheet: string;
}

/**
 * The page with only a media item, for frames on other sites. It has no script, no form and no data about the viewer.
 */
export function EmbedPage({ media, siteName, stylesheet }: EmbedPageProps): JSX.Element {
  const title = media.title ?? 'Untitled';
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} - ${siteName}`}</title>
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body>
        <main>
          <h1 class="title">
            <a href={`/m/${media.slug}`} target="_blank" rel="noopener">
              {title} <span>on {siteName}</span>
            </a>
          </h1>
          {media.moderation_status === 'nsfw' ? (
            <details>
              <summary>
                <Icon name="eye" size={28} /> Adult content. Show it (I am 18 or older)
              </summary>
              <Shown media={media} />
            </details>
          ) : (
            <Shown media={media} />
          )}
        </main>
      </body>
    </html>
  );
}

function Shown({ media }: { readonly media: Media }): JSX.Element {
  if (!isVideo(media)) {
    const sources = sourcesOf(media);
    if (sources === null) return <p>This file could not be processed.</p>;
    return (
      <img
        src={sources.src}
        srcset={sources.srcset}
        sizes="100vw"
        alt={media.alt_text ?? media.title ?? ''}
        width={media.width}
        height={media.height}
      />
    );
  }
  if (!media.processed) return <p>This video is being processed. Please come back in a moment.</p>;
  return <VideoPlayer media={media} />;
}
