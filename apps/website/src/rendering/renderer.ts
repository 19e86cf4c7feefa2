import { Injectable } from '@nestjs/common';
import { type ComponentChildren, type VNode, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../config/website.config';
import { OperatorPages } from '../config/operator-pages';
import { AssetManifest } from './asset-manifest';
import { compress } from './compress';
import { Document } from './document';
import type { PageOptions } from '../results/page';
import { type PageContext, VisitContext } from '../components/visit-context';

/** Renders pages and fragments of pages. */
@Injectable()
export class Renderer {
  constructor(
    private readonly config: WebsiteConfig,
    private readonly assets: AssetManifest,
    private readonly pages: OperatorPages,
  ) {}

  /** Sends a page. Browsers may store it, but must revalidate it before showing it again. */
  send(page: PageOptions, visit: Visit, viewer: Viewer | null): void {
    const { response } = visit;
    const context = this.pageContextOf(visit, viewer);
    const markup = `<!doctype html>${render(h(Document, { page, assets: this.assets, context }))}`;
    visit.clearNotice();
    if (page.head?.robots !== undefined) response.set('X-Robots-Tag', page.head.robots);
    response.set(
      page.secret ? SECRET_PAGE_HEADERS : (page.status ?? 200) >= 400 ? ERROR_PAGE_HEADERS : PAGE_HEADERS,
    );
    const { body, encoding } = compress(visit.request, markup, visit.isUnknownBrowser && !page.secret);
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response
      .status(page.status ?? 200)
      .type('html')
      .send(body);
  }

  /** The markup of a fragment. */
  fragment(node: VNode, visit: Visit, viewer: Viewer | null): string {
    const value = this.pageContextOf(visit, viewer);
    return render(h(VisitContext.Provider, { value, children: node as ComponentChildren }));
  }

  private pageContextOf(visit: Visit, viewer: Viewer | null): PageContext {
    const { site, api, upload, cdn, siteName, tagline } = this.config;
    const urls = { site, api, upload, cdn };
    return { visit, viewer, siteName, tagline, urls, operatorPages: this.pages.all };
  }
}

const PAGE_HEADERS = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;
/** Errors can be temporary, so error pages are not stored. */
const ERROR_PAGE_HEADERS = { 'Cache-Control': 'no-store', Vary: 'Cookie' } as const;
// The page's address may contain a key, so it must not appear in a Referer, not even to this site. `no-referrer` would
// also hide the origin of forms (Fetch, 3.1), which `FormsGuard` needs on plain HTTP, where there is no
// Sec-Fetch-Site.
const SECRET_PAGE_HEADERS = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'strict-origin',
} as const;
