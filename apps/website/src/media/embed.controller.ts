import { Controller, Get, Param } from '@nestjs/common';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { AssetManifest } from '../rendering/asset-manifest';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../config/website.config';
import { EmbedPage } from './embed-page';

/** Seconds for which caches may keep the page; a deleted media item may be shown in frames for as long. */
const MAX_AGE = 60;

/** The only page that other sites may embed. It uses no session and has no forms, so clickjacking is not possible. */
@Controller('e')
export class EmbedController {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly config: WebsiteConfig,
    private readonly assets: AssetManifest,
  ) {
    const files = new URL(config.cdn).origin;
    this.headers = {
      'Content-Security-Policy': [
        "default-src 'none'",
        "style-src 'self'",
        `img-src 'self' ${files}`,
        `media-src ${files}`,
        "base-uri 'none'",
        "form-action 'none'",
        'frame-ancestors *',
      ].join('; '),
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'Cache-Control': `public, max-age=${MAX_AGE}`,
    };
  }

  /** Reads the media item without a session. This counts no view of a post. */
  @Get(':slug')
  async show(@CurrentVisit() visit: Visit, @Param('slug') slug: string): Promise<string> {
    const media = await visit.apiWith(undefined).media.get(slug);
    const { response } = visit;
    response.removeHeader('X-Frame-Options');
    response.set(this.headers).type('html');
    const stylesheet = this.assets.pathOf('embed.css');
    return `<!doctype html>${render(h(EmbedPage, { media, siteName: this.config.siteName, stylesheet }))}`;
  }
}
