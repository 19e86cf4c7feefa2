import { SYNDICATION, type SyndicationFormat } from '../links/syndication-links';
import { escapeMarkup } from '../rendering/escape-markup';
import type { SyndicatedEntry, SyndicatedFeed } from './syndicated-feed';

type Attributes = Readonly<Record<string, string | number>>;

/** An XML element. `content` is XML already; null: an empty element. */
function element(name: string, attributes: Attributes, content: string | null = null): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`);
  return content === null ? `<${name}${pairs.join('')}/>` : `<${name}${pairs.join('')}>${content}</${name}>`;
}

const text = (name: string, value: string): string => element(name, {}, escapeMarkup(value));

const link = (rel: string, href: string | null, more: Attributes = {}): string =>
  href === null ? '' : element('link', { rel, href, ...more });

const person = (name: string, uri?: string): string =>
  element('author', {}, text('name', name) + (uri === undefined ? '' : text('uri', uri)));

/** An Atom feed (RFC 4287) with links to other pages (RFC 5005). Its texts must be legal in XML. */
const toAtom = (feed: SyndicatedFeed): string => {
  const parts = [
    text('id', feed.first),
    text('title', feed.title),
    text('updated', feed.updated.toISOString()),
    text('icon', feed.icon),
    // An entry without an author has that of the feed.
    person(feed.title),
    link('self', feed.self, { type: SYNDICATION.atom.type }),
    link('alternate', feed.page, { type: 'text/html' }),
    link('first', feed.first),
    link('previous', feed.previous),
    link('next', feed.next),
    ...feed.entries.map(toAtomEntry),
  ];
  const lines = parts.filter((part) => part !== '').join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('feed', { xmlns: 'http://www.w3.org/2005/Atom' }, `\n${lines}\n`)}\n`;
};

const toAtomEntry = ({ enclosure, author, ...entry }: SyndicatedEntry): string =>
  element(
    'entry',
    {},
    [
      text('id', entry.url),
      text('title', entry.title),
      text('published', entry.published.toISOString()),
      text('updated', entry.updated.toISOString()),
      author === null ? '' : person(author.name, author.url),
      link('alternate', entry.url, { type: 'text/html' }),
      enclosure === null
        ? ''
        : link('enclosure', enclosure.url, {
            type: enclosure.type,
            ...(enclosure.bytes !== null && { length: enclosure.bytes }),
          }),
      ...entry.tags.map((term) => element('category', { term })),
      element('content', { type: 'html' }, escapeMarkup(entry.html)),
    ].join(''),
  );

/** A JSON Feed 1.1 (jsonfeed.org). */
const toJson = (feed: SyndicatedFeed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.page,
    feed_url: feed.self,
    next_url: feed.next ?? undefined,
    icon: feed.icon,
    items: feed.entries.map(toJsonItem),
  });

const toJsonItem = ({ enclosure, author, ...entry }: SyndicatedEntry): object => ({
  id: entry.url,
  url: entry.url,
  title: entry.title,
  content_html: entry.html,
  image: entry.image ?? undefined,
  date_published: entry.published.toISOString(),
  date_modified: entry.updated.toISOString(),
  authors: author ? [author] : undefined,
  tags: entry.tags,
  attachments: enclosure
    ? [
        {
          url: enclosure.url,
          mime_type: enclosure.type,
          size_in_bytes: enclosure.bytes ?? undefined,
          duration_in_seconds: enclosure.seconds ?? undefined,
        },
      ]
    : undefined,
});

/** Writes a feed in each format. */
export const WRITERS: Readonly<Record<SyndicationFormat, (feed: SyndicatedFeed) => string>> = {
  atom: toAtom,
  json: toJson,
};
