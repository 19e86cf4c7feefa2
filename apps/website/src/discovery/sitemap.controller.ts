import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import type { ListedPost, VitrineClient } from '@vitrine/client';
import { MAX_LIMIT } from '@vitrine/contracts';
import { LRUCache } from 'lru-cache';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../config/website.config';
import { type SitemapEntry, sitemapIndexOf, sitemapOf } from './sitemap';

/** API pages in one part; they are requested in parallel. */
const PAGES_A_PART = 4;
/** Maximum number of sitemaps in an index (sitemaps.org). */
const MAX_PARTS = 50_000;
const KEPT_MS = 3_600_000;
/** A part of 1,000 posts has about 250 KB. */
const KEPT_PARTS = 100;

const FIXED_PAGES = ['/', '/tags', '/developers'];

/**
 * The sitemap: an index, and parts of 1,000 posts each, newest first, without nsfw, hidden and private posts. Parts are
 * cached for an hour, so a crawler causes only a few requests to the API.
 */
@Controller()
export class SitemapController {
  private readonly kept = new LRUCache<string, Promise<string>>({ max: KEPT_PARTS, ttl: KEPT_MS });

  constructor(private readonly config: WebsiteConfig) {}

  @Get('sitemap.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  index(@CurrentVisit() visit: Visit): Promise<string> {
    return this.cached('index', async () => {
      const { meta } = await anonymousApi(visit).posts.list({ limit: 1 });
      const parts = Math.min(MAX_PARTS - 1, Math.ceil(meta.total / (MAX_LIMIT * PAGES_A_PART)));
      const names = ['pages', ...Array.from({ length: parts }, (_, part) => `posts-${part + 1}`)];
      return sitemapIndexOf(names.map((name) => `${this.config.site}/sitemap/${name}.xml`));
    });
  }

  @Get('sitemap/:part.xml')
  @Header('Content-Type', 'application/xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  part(@Param('part') name: string, @CurrentVisit() visit: Visit): Promise<string> {
    if (name === 'pages')
      return this.cached(name, async () => sitemapOf(await this.pages(anonymousApi(visit))));
    const part = Number(/^posts-([1-9]\d{0,4})$/.exec(name)?.[1]);
    if (!(part < MAX_PARTS)) throw new NotFoundException();
    return this.cached(name, async () => sitemapOf(await this.posts(part, anonymousApi(visit))));
  }

  private async pages(api: VitrineClient): Promise<SitemapEntry[]> {
    const { data: tags } = await api.tags.list({ limit: MAX_LIMIT });
    const paths = [...FIXED_PAGES, ...tags.map(({ name }) => `/t/${encodeURIComponent(name)}`)];
    return paths.map((path) => ({ url: this.config.site + path }));
  }

  private async posts(part: number, api: VitrineClient): Promise<SitemapEntry[]> {
    const first = (part - 1) * PAGES_A_PART + 1;
    const pages = await Promise.all(
      Array.from({ length: PAGES_A_PART }, (_, i) => api.posts.list({ limit: MAX_LIMIT, page: first + i })),
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

  /** Simultaneous requests share one computation. A failure is not cached. */
  private cached(name: string, make: () => Promise<string>): Promise<string> {
    const kept = this.kept.get(name);
    if (kept) return kept;
    const made = make();
    this.kept.set(name, made);
    made.catch(() => this.kept.delete(name));
    return made;
  }
}

/** The sitemap is the same for everyone, so it is read without a session. */
const anonymousApi = (visit: Visit): VitrineClient => visit.apiWith(undefined);
