import type { Media } from '@vitrine/client';
import { isVideo } from '../components/picture';
import { escapeMarkup } from '../rendering/escape-markup';

export interface EmbedCode {
  readonly name: 'Direct link' | 'HTML' | 'Markdown' | 'BBCode';
  readonly code: string;
}

interface EmbedContext {
  /** Address of the page to which the picture links; null if others can't open it. */
  readonly page: string | null;
  /** The alternative text or the title. Untrusted. */
  readonly alt: string;
  /** Address of the site, for the player of videos. */
  readonly site: string;
}

const SHOWN_EVERYWHERE = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'svg']);

/** Whether all browsers can show the original of a picture. */
export const isShownEverywhere = ({ ext }: Pick<Media, 'ext'>): boolean => SHOWN_EVERYWHERE.has(ext);

/** The codes that show a media item on other sites. Untrusted text is escaped. */
export function embedCodes(media: Media, { page, alt, site }: EmbedContext): readonly EmbedCode[] {
  const { urls } = media;
  const picture = isVideo(media) ? urls.thumb : isShownEverywhere(media) ? urls.original : urls.xl;
  const image = `![${markdownText(alt)}](${picture})`;
  const html = isVideo(media) ? playerFrame(media, alt, site) : linked(imageTag(media, picture, alt), page);
  return [
    { name: 'Direct link', code: urls.original },
    { name: 'HTML', code: html },
    { name: 'Markdown', code: page === null ? image : `[${image}](${page})` },
    // BBCode contains no untrusted text, because it has no escaping.
    {
      name: 'BBCode',
      code: page === null ? `[img]${picture}[/img]` : `[url=${page}][img]${picture}[/img][/url]`,
    },
  ];
}

/** Address of a page with only the media item, for frames on other sites. */
export const playerUrl = (media: Pick<Media, 'slug'>, site: string): string => `${site}/e/${media.slug}`;

/** The `<iframe>` that shows a media item on another site. `size`: in pixels; default: the media item's own size. */
export function playerFrame(
  media: Media,
  title: string,
  site: string,
  { width, height }: { readonly width: number; readonly height: number } = media,
): string {
  const attributes = [
    `src="${escapeMarkup(playerUrl(media, site))}"`,
    `width="${width}" height="${height}"`,
    `title="${escapeMarkup(title === '' ? 'Video' : title)}"`,
    'style="border: 0; max-width: 100%"',
  ];
  return `<iframe ${attributes.join(' ')} loading="lazy" allowfullscreen></iframe>`;
}

const imageTag = ({ width, height }: Media, url: string, alt: string): string =>
  `<img src="${escapeMarkup(url)}" alt="${escapeMarkup(alt)}" width="${width}" height="${height}">`;

const linked = (html: string, page: string | null): string =>
  page === null ? html : `<a href="${escapeMarkup(page)}">${html}</a>`;

/** Text for the brackets of a Markdown link. Renderers differ in their escaping, so special characters are removed. */
const markdownText = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}\p{Pd}\p{Pi}\p{Pf} .,;?'%+]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
