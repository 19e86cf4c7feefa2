import type { Media } from '@vitrine/client';
import { imageVariantSize } from '@vitrine/contracts';
import { isShownEverywhere, isVideo, sourcesOf } from '../components/picture';
import { fitInto } from './media-facts';
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

/** A size of a picture to choose for its codes. */
export interface EmbedSize {
  readonly name: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  /** The files of which browsers choose one; absent if all of them are smaller than this size. */
  readonly srcset?: string | undefined;
}

/** Videos are embedded within this size. */
const FRAME = { width: 1280, height: 720 };

const SIZES = [
  ['Thumbnail', 'sm'],
  ['Small', 'md'],
  ['Medium', 'lg'],
  ['Large', 'xl'],
] as const;

/** The sizes of a picture, smallest first: those that are smaller than the original, and the original if browsers show it. */
export function embedSizes(media: Media): readonly EmbedSize[] {
  const { urls, width, height } = media;
  const { srcset } = sourcesOf(media, true) ?? {};
  const sizes = SIZES.map(([name, size]) => ({
    ...{ name, url: urls[size], srcset },
    ...imageVariantSize(media, size),
  }));
  const isShown = isShownEverywhere(media);
  const isInSet = srcset?.endsWith(` ${width}w`);
  const whole = { name: 'Original', url: urls.original, width, height, srcset: isInSet ? srcset : undefined };
  const smaller = sizes.filter((size, i) => size.width < width || (!isShown && i === SIZES.length - 1));
  return isShown ? [...smaller, whole] : smaller;
}

/** Originals have many megabytes, so a middle size comes first. */
export const defaultSize = (sizes: readonly EmbedSize[]): EmbedSize | undefined =>
  sizes.find(({ name }) => name === 'Medium') ?? sizes.at(-1);

/** The codes that show a media item on other sites. Untrusted text is escaped. */
export function embedCodes(media: Media, { page, alt, site }: EmbedContext): readonly EmbedCode[] {
  const size = isVideo(media) ? null : defaultSize(embedSizes(media))!;
  const picture = size?.url ?? media.urls.thumb;
  const image = `![${markdownText(alt)}](${picture})`;
  const html = size
    ? linked(imageTag(size, alt), page)
    : playerFrame(media, alt, site, fitInto(media, FRAME.width, FRAME.height));
  return [
    {
      name: 'Direct link',
      code: size?.url ?? (isShownEverywhere(media) ? media.urls.original : media.urls.xl),
    },
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

/** The `<iframe>` that shows a media item on another site, at most in this size and never wider than its page. */
export function playerFrame(
  media: Media,
  title: string,
  site: string,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const attributes = [
    `src="${escapeMarkup(playerUrl(media, site))}"`,
    `width="${width}" height="${height}"`,
    `title="${escapeMarkup(title === '' ? 'Video' : title)}"`,
    `style="border: 0; max-width: 100%; height: auto; aspect-ratio: ${width} / ${height}"`,
  ];
  return `<iframe ${attributes.join(' ')} loading="lazy" allowfullscreen></iframe>`;
}

/** The attributes of an `<img>` that depend on its size: at most this size, and no wider than the window. */
export function imageAttributes({ url, width, height, srcset }: EmbedSize): string {
  const attributes = `src="${escapeMarkup(url)}" width="${width}" height="${height}"`;
  if (srcset === undefined) return attributes;
  return `${attributes} sizes="(max-width: ${width}px) 100vw, ${width}px" srcset="${escapeMarkup(srcset)}"`;
}

const imageTag = (size: EmbedSize, alt: string): string =>
  `<img ${imageAttributes(size)} alt="${escapeMarkup(alt)}" style="max-width: 100%; height: auto">`;

const linked = (html: string, page: string | null): string =>
  page === null ? html : `<a href="${escapeMarkup(page)}">${html}</a>`;

/** Text for the brackets of a Markdown link. Renderers differ in their escaping, so special characters are removed. */
const markdownText = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}\p{Pd}\p{Pi}\p{Pf} .,;?'%+]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
