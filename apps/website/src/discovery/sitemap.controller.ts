import { Controller, Get, Header, Inject, NotFoundException, Param } from '@nestjs/common';
import type { ListedPost, VitrineClient } from '@vitrine/client';
import { LRUCache } from 'lru-cache';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../website.config';
import { type SitemapEntry, sitemapIndexOf, sitemapOf } from './sitemap';

/** The largest page that the API gives. */
const API_PAGE = 250;
/** Pages of the API in one part; they are asked for at once. */
const PAGES_A_PART = 4;
/** Sitemaps in an index, at most (sitemaps.org). */
const MAX_PARTS = 50_000;
const KEPT_MS = 3_600_000;
/** A part of a thousand posts takes about a quarter of a megabyte. */
const KEPT_PARTS = 100;

const FIXED_PAGES = ['/', '/tags', '/developers'];

/**
 * The map for crawlers: an index, and parts of a thousand posts each, newest first. What is nsfw, hidden or private
 * isn't in it. Parts are kept for an hour, so that no crawler costs more than a few requests of the API.
 */
@Controller()
export class SitemapController {
  private readonly kept = new LRUCache<string, Promise<string>>({ max: KEPT_PARTS, ttl: KEPT_MS });

  constructor(@Inject(WebsiteConfig) private readonly config: WebsiteConfig) {}

  @Get('sitemap.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  index(@CurrentVisit() visit: Visit): Promise<string> {
    return this.keep('index', async () => {
      const { meta } = await nobodysApi(visit).posts.list({ limit: 1 });
      const parts = Math.min(MAX_PARTS - 1, Math.ceil(meta.total / (API_PAGE * PAGES_A_PART)));
      const names = ['pages', ...Array.from({ length: parts }, (_, part) => `posts-${part + 1}`)];
      return sitemapIndexOf(names.map((name) => `${this.config.site}/sitemap/${name}.xml`));
    });
  }

  @Get('sitemap/:part.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  part(@Param('part') name: string, @CurrentVisit() visit: Visit): Promise<string> {
    if (name === 'pages') return this.keep(name, async () => sitemapOf(await this.pages(nobodysApi(visit))));
    const part = Number(/^posts-([1-9]\d{0,4})$/.exec(name)?.[1]);
    if (!(part < MAX_PARTS)) throw new NotFoundException();
    return this.keep(name, async () => sitemapOf(await this.posts(part, nobodysApi(visit))));
  }

  private async pages(api: VitrineClient): Promise<SitemapEntry[]> {
    const { data: tags } = await api.tags.list({ limit: API_PAGE });
    const paths = [...FIXED_PAGES, ...tags.map(({ name }) => `/t/${encodeURIComponent(name)}`)];
    return paths.map((path) => ({ url: this.config.site + path }));
  }

  private async posts(part: number, api: VitrineClient): Promise<SitemapEntry[]> {
    const first = (part - 1) * PAGES_A_PART + 1;
    const pages = await Promise.all(
      Array.from({ length: PAGES_A_PART }, (_, i) => api.posts.list({ limit: API_PAGE, page: first + i })),
    );
    const posts = pages.flatMap(({ data }) => data);
    if (posts.length === 0) throw new NotFoundException();
    return posts.map((post) => this.entryOf(post));
  }

  private entryOf({ slug, updated_at, first_media }: ListedPost): SitemapEntry {
    const images =
      first_media?.moderation_status === 'approved' && first_media.type.startsWith('image/')
        ? [first_media.urls.lg]
        : [];
    return { url: `${this.config.site}/p/${slug}`, changedAt: updated_at, images };
  }

  /** Made once for whoever asks meanwhile; a failure is nobody's answer but theirs who waited for it. */
  private keep(name: string, make: () => Promise<string>): Promise<string> {
    const kept = this.kept.get(name);
    if (kept) return kept;
    const made = make();
    this.kept.set(name, made);
    made.catch(() => this.kept.delete(name));
    return made;
  }
}

/** Whoever asks, the map is the same. */
const nobodysApi = (visit: Visit): VitrineClient => visit.apiWith(undefined);
