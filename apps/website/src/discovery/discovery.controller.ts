import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { WebsiteConfig } from '../config/website.config';
import { SHARE_PATH } from '../links/paths';
import { ICONS } from './icons.controller';

/**
 * Paths for robots.txt: pages for one visitor, pages that change something, and pages with many addresses for the same
 * content.
 */
const NOT_FOR_ROBOTS = [
  '/settings',
  '/moderation',
  '/upload',
  '/g/',
  '/login',
  '/log-in/',
  '/logout',
  '/register',
  '/preferences',
  '/reports',
  '/search',
  '/p/*/files.zip',
  '/*?*key=',
  '/*?*sort=random',
];

/** Files for crawlers, for browsers that install the site, and for password managers. */
@Controller()
export class DiscoveryController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  robots(): string {
    const rules = NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}`);
    return ['User-agent: *', ...rules, '', `Sitemap: ${this.config.site}/sitemap.xml`, ''].join('\n');
  }

  @Get('manifest.webmanifest')
  @Header('Content-Type', 'application/manifest+json; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  manifest(): object {
    return {
      id: '/',
      name: this.config.siteName,
      short_name: this.config.siteName,
      description: 'Share pictures and videos.',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#fbfaf8',
      theme_color: '#fbfaf8',
      icons: ICONS.flatMap(({ path, ...icon }) => ('purpose' in icon ? [{ src: `/${path}`, ...icon }] : [])),
      shortcuts: [{ name: 'Upload', url: '/upload' }],
      // browser/share-worker.ts receives the files.
      share_target: {
        action: SHARE_PATH,
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { files: [{ name: 'file', accept: ['image/*', 'video/*'] }] },
      },
    };
  }

  /** The document of the API, which programs look for on every host. */
  @Get('openapi.json')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Redirect()
  openApi(): { url: string } {
    return { url: `${this.config.api}/openapi.json` };
  }

  /** The address to which password managers send their users (W3C, A Well-Known URL for Changing Passwords). */
  @Get('.well-known/change-password')
  @Redirect('/settings', 302)
  changePassword(): void {}
}
