import type { ListedPost, Media } from '@vitrine/client';
import { VARIANT_TYPES } from '@vitrine/contracts';
import { isShownEverywhere, isVideo } from '../components/picture';
import { UNTITLED } from '../media/media-metadata';
import { escapeMarkup } from '../rendering/escape-markup';

/** A page of a list of posts for readers. All addresses are absolute. */
export interface SyndicatedFeed {
  readonly title: string;
  /** The page that shows the list. */
  readonly page: string;
  /** Addresses of this page of the feed and of its neighbours. */
  readonly self: string;
  readonly first: string;
  readonly previous: string | null;
  readonly next: string | null;
  readonly icon: string;
  readonly updated: Date;
  readonly entries: readonly SyndicatedEntry[];
}

/** A post for readers. Its texts have no characters that XML forbids. */
export interface SyndicatedEntry {
  readonly url: string;
  readonly title: string;
  readonly html: string;
  readonly published: Date;
  readonly updated: Date;
  readonly author: { readonly name: string; readonly url: string } | null;
  readonly tags: readonly string[];
  readonly image: string | null;
  readonly enclosure: Enclosure | null;
}

/** A file that readers can show: the original if browsers can, or else the largest size. */
interface Enclosure {
  readonly url: string;
  readonly type: string;
  /** Null for a size. */
  readonly bytes: number | null;
  readonly seconds: number | null;
}

/** Every character that XML 1.0 forbids (2.2), lone surrogates included. It can't be escaped either. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A text without the characters that XML forbids. */
export const legalText = (text: string): string => text.replace(ILLEGAL, '');

/** A post for readers. `site` is the address of the site. */
export function entryOf(post: ListedPost, site: string): SyndicatedEntry {
  const { slug, first_media, description, user } = post;
  const media = first_media?.moderation_status === 'approved' ? first_media : null;
  const url = `${site}/p/${slug}`;
  return {
    url,
    title: titleOf(post.title) ?? titleOf(media?.title) ?? UNTITLED,
    html: legalText(htmlOf(url, media, description)),
    published: new Date(post.created_at),
    updated: new Date(post.updated_at),
    author: user && { name: user.username, url: `${site}/u/${user.username}` },
    tags: post.tags.map(legalText),
    image: media && pictureOf(media),
    enclosure: media && enclosureOf(media),
  };
}

function enclosureOf(media: Media): Enclosure {
  const { urls, type, size, duration: seconds } = media;
  if (isShownEverywhere(media)) {
    return { url: urls.original, type, bytes: size, seconds };
  }
  const [, extension = ''] = /\.(\w+)$/.exec(urls.xl) ?? [];
  return { url: urls.xl, type: VARIANT_TYPES[extension] ?? type, bytes: null, seconds };
}

/** A title that a reader can show; null if nothing is left of it. */
function titleOf(text: string | null | undefined): string | null {
  const title = legalText(text ?? '').trim();
  return title === '' ? null : title;
}

/** A picture that shows a media item. */
const pictureOf = (media: Media): string => (isVideo(media) ? media.urls.thumb : media.urls.lg);

function htmlOf(url: string, media: Media | null, description: string | null): string {
  const picture =
    media &&
    `<p><a href="${escapeMarkup(url)}"><img src="${escapeMarkup(pictureOf(media))}" alt="${escapeMarkup(media.alt_text ?? media.title ?? '')}"></a></p>`;
  const paragraphs = (description ?? '')
    .trim()
    .split(/\n\s*\n/)
    .filter((text) => text !== '')
    .map((text) => `<p>${escapeMarkup(text).replaceAll('\n', '<br>')}</p>`);
  return [picture ?? '', ...paragraphs].join('');
}
