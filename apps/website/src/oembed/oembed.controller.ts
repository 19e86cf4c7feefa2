import { Controller, Get, Query, Res } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import type { Response } from 'express';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../config/website.config';
import { oembed, OEMBED_MAX_AGE, type OembedLimits, type OembedSubject } from './oembed';

/** The oEmbed endpoint, which tells other sites how to embed a page (https://oembed.com). */
@Controller('oembed')
export class OembedController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get()
  async describe(
    @CurrentVisit() visit: Visit,
    @Query() query: Readonly<Record<string, unknown>>,
    @Res() response: Response,
  ): Promise<void> {
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    const { format = 'json', url, maxwidth, maxheight } = query;
    const [maxWidth, maxHeight] = [limitOf(maxwidth), limitOf(maxheight)];
    if (format !== 'json') return sendError(response, 501, 'Only format=json is implemented.');
    if (maxWidth === null || maxHeight === null) {
      return sendError(response, 400, 'maxwidth and maxheight must be numbers of pixels.');
    }
    const subject = await this.find(visit, url);
    if (!subject) return sendError(response, 404, 'This page does not exist.');
    const limits: OembedLimits = { maxWidth, maxHeight };
    response
      .set('Cache-Control', `public, max-age=${OEMBED_MAX_AGE}`)
      .json(oembed(subject, limits, this.config));
  }

  /** Null if the address isn't a public page of this site. */
  private async find(visit: Visit, url: unknown): Promise<OembedSubject | null> {
    const page = this.pageOf(url);
    if (page === null) return null;
    try {
      return await loadSubject(visit, page);
    } catch (error) {
      if (error instanceof VitrineError && error.code === 'not_found') return null;
      throw error;
    }
  }

  private pageOf(url: unknown): PageAddress | null {
    const { site } = this.config;
    if (typeof url !== 'string' || !URL.canParse(url)) return null;
    const { origin, pathname, username, password } = new URL(url);
    if (origin !== new URL(site).origin || username !== '' || password !== '') return null;
    const match = /^\/([pm])\/([A-Za-z0-9]{1,20})\/?$/.exec(pathname);
    return match && { kind: match[1] as 'p' | 'm', slug: match[2]! };
  }
}

interface PageAddress {
  readonly kind: 'p' | 'm';
  readonly slug: string;
}

/**
 * Reads the subject without a session, because the answer is public. Keys of private posts are ignored. Nothing is kept:
 * a post that has become private, or was rejected, must be gone at once.
 */
async function loadSubject(visit: Visit, { kind, slug }: PageAddress): Promise<OembedSubject> {
  const api = visit.apiForPrograms;
  if (kind === 'm') {
    const media = await api.media.get(slug);
    const isAdult = media.moderation_status === 'nsfw';
    return { title: media.title, author: media.user, media: isAdult ? null : media };
  }
  const post = await api.posts.get(slug, { perPage: 1 });
  const [first] = post.media;
  const isAdult = post.moderation_status === 'nsfw' || first?.moderation_status === 'nsfw';
  return { title: post.title, author: post.user, media: isAdult ? null : (first ?? null) };
}

/** A limit in pixels; undefined if absent, null if it isn't a number. */
function limitOf(sent: unknown): number | undefined | null {
  if (sent === undefined || sent === '') return undefined;
  return typeof sent === 'string' && /^[1-9]\d{0,5}$/.test(sent) ? Number(sent) : null;
}

function sendError(response: Response, status: number, message: string): void {
  response.status(status).set('Cache-Control', 'no-store').json({ message });
}
