import { Inject, Injectable } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import type { Viewer } from '../visits/viewers';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../website.config';
import { AssetManifest } from './asset-manifest';
import { compress } from './compress';
import { Document } from './document';
import type { PageOptions } from './page';
import { type Surroundings, VisitContext } from './visit-context';

/** Writes pages, and pieces of pages. */
@Injectable()
export class Renderer {
  constructor(
    @Inject(WebsiteConfig) private readonly config: WebsiteConfig,
    private readonly assets: AssetManifest,
  ) {}

  /** Answers with a page. It is the visitor's own and may be kept, but not shown again unasked. */
  send(page: PageOptions, visit: Visit, viewer: Viewer | null): void {
    const { response } = visit;
    const surroundings = this.surroundingsOf(visit, viewer);
    const markup = `<!doctype html>${render(h(Document, { page, assets: this.assets, surroundings }))}`;
    visit.clearNotice();
    if (page.head?.robots !== undefined) response.set('X-Robots-Tag', page.head.robots);
    response.set(page.secret ? SECRET : (page.status ?? 200) >= 400 ? PASSING : OWN);
    const { body, encoding } = compress(visit.request, markup, visit.isNobody && !page.secret);
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response
      .status(page.status ?? 200)
      .type('html')
      .send(body);
  }

  /** The markup of a piece of a page. */
  fragment(node: VNode, visit: Visit, viewer: Viewer | null): string {
    const value = this.surroundingsOf(visit, viewer);
    return render(h(VisitContext.Provider, { value, children: node as ComponentChildren }));
  }

  private surroundingsOf(visit: Visit, viewer: Viewer | null): Surroundings {
    const { site, api, upload, cdn, siteName } = this.config;
    return { visit, viewer, siteName, urls: { site, api, upload, cdn } };
  }
}

const OWN = { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } as const;
/** What went wrong may be right in a moment. */
const PASSING = { 'Cache-Control': 'no-store', Vary: 'Cookie' } as const;
// Its address, which may hold a key, goes into no Referer, our own included. With `no-referrer` browsers would hide the
// origin of its forms too (Fetch, 3.1), by which we know them where there is no Sec-Fetch-Site: on plain HTTP.
const SECRET = { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'strict-origin' } as const;
