/** The formats of feeds for readers: the end of their addresses, and their media types. */
export const SYNDICATION = {
  atom: { type: 'application/atom+xml', label: 'Atom' },
  json: { type: 'application/feed+json', label: 'JSON Feed' },
} as const;
export type SyndicationFormat = keyof typeof SYNDICATION;

/** Path of the feed of a page for readers. */
export const syndicationPath = (path: string, format: SyndicationFormat): string =>
  `${path === '/' ? '' : path}/feed.${format}`;

/** The links from a page to its feeds; `title` is the name of the page's list. */
export const syndicationLinks = (
  path: string,
  title: string,
): { readonly rel: string; readonly type: string; readonly href: string; readonly title: string }[] =>
  (['atom', 'json'] as const).map((format) => ({
    rel: 'alternate',
    type: SYNDICATION[format].type,
    href: syndicationPath(path, format),
    title: `${title} (${SYNDICATION[format].label})`,
  }));
