import type { ComponentChildren, VNode } from 'preact';

/** What a page says of itself to search engines and to programs that show links to it. */
export interface PageHead {
  readonly description?: string | undefined;
  /** Path of the page under its one proper address. */
  readonly canonical?: string | undefined;
  /** `noindex` keeps it out of search engines. */
  readonly robots?: 'noindex' | undefined;
  /** OpenGraph properties (`og:…`, in order; a name may come more than once). */
  readonly openGraph?: readonly (readonly [property: string, content: string | number])[] | undefined;
  /** `<meta name>`: Twitter cards and the like. */
  readonly meta?: readonly (readonly [name: string, content: string | number])[] | undefined;
  readonly links?:
    readonly Readonly<Record<'rel' | 'href' | 'type' | 'title', string | undefined>>[] | undefined;
  /** schema.org, as JSON-LD. */
  readonly jsonLd?: object | undefined;
}

export interface PageOptions {
  /** Null: the site's name alone. */
  readonly title: string | null;
  readonly body: ComponentChildren;
  readonly head?: PageHead;
  /** Entries of `styles/` and `browser/` besides `site.css` and `site.js`, e.g. `feed.css`, `feed.js`. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** 200 where absent. */
  readonly status?: number;
  /** How wide `main` may grow: a column of text, or all there is. `text` where absent. */
  readonly width?: 'text' | 'wide' | 'full';
  /** Nothing of it may be stored, or told to others by its address: private posts, private links. */
  readonly secret?: boolean;
  /** What the search field of the header holds. */
  readonly search?: string;
}

/** A page to show. */
export class Page {
  constructor(readonly options: PageOptions) {}
}

export interface OutcomeOptions {
  /** Path within the site where the visitor goes on. */
  readonly goTo: string;
  /** One line for the visitor. */
  readonly notice?: string;
  /** For our scripts: markup to put into the page instead of going anywhere. */
  readonly fragment?: VNode;
  /** For our scripts: facts. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * What came of a form that was carried out. A browser is sent on (303), so that going back or reloading sends nothing
 * twice; a script gets JSON: `{notice, location, html, …data}`.
 */
export class Outcome {
  constructor(readonly options: OutcomeOptions) {}
}
