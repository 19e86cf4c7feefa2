import type { ComponentChildren } from 'preact';

/** The metadata of a page for search engines and link previews. */
export interface PageHead {
  readonly description?: string | undefined;
  /** Canonical path of the page. */
  readonly canonical?: string | undefined;
  /** `noindex` keeps it out of search engines. */
  readonly robots?: 'noindex' | undefined;
  /** OpenGraph properties (`og:…`) in order; a name may occur more than once. */
  readonly openGraph?: readonly (readonly [property: string, content: string | number])[] | undefined;
  /** `<meta name>`: Twitter cards and the like. */
  readonly meta?: readonly (readonly [name: string, content: string | number])[] | undefined;
  readonly links?:
    readonly Readonly<Record<'rel' | 'href' | 'type' | 'title', string | undefined>>[] | undefined;
  /** schema.org data as JSON-LD, each object in a separate script element. */
  readonly jsonLd?: readonly object[] | undefined;
}

export interface PageOptions {
  /** Null: only the site's name. */
  readonly title: string | null;
  readonly body: ComponentChildren;
  readonly head?: PageHead;
  /** Entries of `styles/` and `browser/` in addition to `site.css` and `site.js`, such as `feed.css`, `feed.js`. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Default: 200. */
  readonly status?: number;
  /** Maximum width of `main`: a column of text up to the full window. Default: `text`. */
  readonly width?: 'text' | 'wide' | 'full';
  /** Whether the page must not be stored, nor its address sent to other pages: private posts, private links. */
  readonly secret?: boolean;
  /** The content of the header's search field. */
  readonly search?: string;
}

/** A page to show. */
export class Page {
  constructor(readonly options: PageOptions) {}
}
