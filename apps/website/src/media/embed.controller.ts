import { Controller, Get, Inject, Param } from '@nestjs/common';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { AssetManifest } from '../rendering/asset-manifest';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { WebsiteConfig } from '../website.config';
import { EmbedPage } from './embed-page';

/** How long the frames of other sites may show a media that was deleted meanwhile, in seconds. */
const MAX_AGE = 60;

/** The one page that other sites may frame. It knows no session, so there is nothing in it to be clicked unwillingly. */
@Controller('e')
export class EmbedController {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    @Inject(WebsiteConfig) private readonly config: WebsiteConfig,
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

  /** Asks for the media, as nobody: that counts no view of any post. */
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
