import { escapeMarkup } from '../rendering/escape-markup';

/** One entry of a sitemap (sitemaps.org, 0.9). */
export interface SitemapEntry {
  readonly url: string;
  /** ISO 8601. */
  readonly changedAt?: string;
  /** Addresses of pictures on the page (Google's image extension). */
  readonly images?: readonly string[];
}

/** A sitemap of pages. */
export const sitemapOf = (entries: readonly SitemapEntry[]): string =>
  `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
${entries.map(lineOf).join('\n')}
</urlset>
`;

/** A sitemap index of the given sitemap addresses. */
export const sitemapIndexOf = (urls: readonly string[]): string =>
  `${XML}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.map((url) => `<sitemap><loc>${escapeMarkup(url)}</loc></sitemap>`).join('\n')}
</sitemapindex>
`;

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

function lineOf({ url, changedAt, images = [] }: SitemapEntry): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${escapeMarkup(changedAt)}</lastmod>`;
  const pictures = images.map(
    (image) => `<image:image><image:loc>${escapeMarkup(image)}</image:loc></image:image>`,
  );
  return `<url><loc>${escapeMarkup(url)}</loc>${changed}${pictures.join('')}</url>`;
}
