import { createHash } from 'node:crypto';
import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { ListedPost } from '@vitrine/client';
import { MAX_TAG_LENGTH, USERNAME_PATTERN } from '@vitrine/contracts';
import type { Request, Response } from 'express';
import { WebsiteConfig } from '../config/website.config';
import { type SyndicationFormat, SYNDICATION, syndicationPath } from '../links/syndication-links';
import { tagPath } from '../links/paths';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { WRITERS } from './feed-formats';
import { entryOf, legalText, type SyndicatedFeed } from './syndicated-feed';

/** Entries on a page of a feed. */
const PAGE_SIZE = 30;
/** Caches may answer feed readers, which poll often, for this long. */
const MAX_AGE_SECONDS = 300;

/** What a feed lists. */
interface Subject {
  readonly title: string;
  /** Path of the page with the same list. */
  readonly path: string;
  readonly list: (query: { readonly limit: number; readonly page: number }) => Promise<{
    readonly data: readonly ListedPost[];
    readonly meta: { readonly last_page: number; readonly total: number };
  }>;
}

/**
 * Feeds for readers: Atom and JSON Feed of the front page, tags and profiles. They are the same for everyone, so they
 * are read without a session and contain no nsfw, hidden and private posts.
 */
@Controller()
export class SyndicationController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get('feed.:format')
  front(
    @CurrentVisit() visit: Visit,
    @Param('format') format: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const { posts } = visit.apiWith(undefined);
    const { siteName } = this.config;
    return this.answer(visit, response, format, {
      title: siteName,
      path: '/',
      list: (query) => posts.list(query),
    });
  }

  @Get('t/:tag/feed.:format')
  tag(
    @CurrentVisit() visit: Visit,
    @Param('tag') text: string,
    @Param('format') format: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    const tag = text.toLowerCase();
    if (tag.length > MAX_TAG_LENGTH) throw new NotFoundException();
    const { posts } = visit.apiWith(undefined);
    return this.answer(visit, response, format, {
      title: `#${tag} · ${this.config.siteName}`,
      path: tagPath(tag),
      list: async (query) => {
        const page = await posts.list({ ...query, tag });
        if (page.meta.total === 0) throw new NotFoundException();
        return page;
      },
    });
  }

  @Get('u/:username/feed.:format')
  async profile(
    @CurrentVisit() visit: Visit,
    @Param('username') name: string,
    @Param('format') format: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | undefined> {
    if (!USERNAME_PATTERN.test(name)) throw new NotFoundException();
    const { users } = visit.apiWith(undefined);
    const { username } = await users.get(name);
    return this.answer(visit, response, format, {
      title: `${username} · ${this.config.siteName}`,
      path: `/u/${username}`,
      list: (query) => users.posts(username).list(query),
    });
  }

  /** Answers 304 if the reader has the same page already. */
  private async answer(
    { request }: Visit,
    response: Response,
    format: string,
    subject: Subject,
  ): Promise<string | undefined> {
    if (!isFormat(format)) throw new NotFoundException();
    const number = queryPage(request);
    const page = await subject.list({ limit: PAGE_SIZE, page: number });
    if (number > page.meta.last_page) throw new NotFoundException();
    const feed = this.feedOf(subject, format, number, page);
    const body = WRITERS[format](feed);
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    response.set({
      'Content-Type': `${SYNDICATION[format].type}; charset=utf-8`,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      'Access-Control-Allow-Origin': '*',
      // No Last-Modified: a feed also changes when a post leaves it, and nothing dates that.
      ETag: etag,
    });
    if (!hasVersion(request, etag)) return body;
    response.status(304);
    return undefined;
  }

  private feedOf(
    { title, path }: Subject,
    format: SyndicationFormat,
    number: number,
    { data, meta }: Awaited<ReturnType<Subject['list']>>,
  ): SyndicatedFeed {
    const { site } = this.config;
    const address = (page: number): string =>
      site + syndicationPath(path, format) + (page > 1 ? `?page=${page}` : '');
    const entries = data.map((post) => entryOf(post, site));
    return {
      title: legalText(title),
      page: site + path,
      self: address(number),
      first: address(1),
      previous: number > 1 ? address(number - 1) : null,
      next: number < meta.last_page ? address(number + 1) : null,
      icon: `${site}/icon-192.png`,
      // An empty feed has never changed.
      updated: new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime()))),
      entries,
    };
  }
}

const isFormat = (text: string): text is SyndicationFormat => Object.hasOwn(SYNDICATION, text);

/**
 * Whether the reader has this version already (RFC 9110, 13.1.2). Express's `request.fresh` says no to a request
 * with `Cache-Control: no-cache`, which `fetch` adds to every conditional request.
 */
function hasVersion({ headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',') ?? [];
  return tags.some((tag) => [etag, `W/${etag}`, '*'].includes(tag.trim()));
}
