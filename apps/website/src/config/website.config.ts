import {
  apartFromManagement,
  Consistent,
  MAX_FILE_BYTES_SETTING,
  parse,
  PublicUrlsConfig,
  Setting,
} from '@vitrine/runtime';

/** Where the website listens, the addresses that it shows, and how it reaches the API. */
@Consistent<WebsiteConfig>(apartFromManagement)
export class WebsiteConfig extends PublicUrlsConfig {
  @Setting({
    env: 'SITE_PORT',
    why: 'Port of the website.',
    parse: parse.port,
    default: 3002,
    example: '3002',
  })
  port!: number;

  @Setting({
    env: 'SITE_NAME',
    why: 'Name of the site, in the title of every page.',
    parse: parse.text,
    default: 'Vitrine',
    example: 'Pictures of our town',
  })
  siteName!: string;

  @Setting({
    env: 'SITE_TAGLINE',
    why: 'One sentence about the site, which visitors without an account see on the front page.',
    parse: parse.text,
    default: 'Share pictures and videos. You need no account.',
    example: 'The pictures of our town, by the people who live in it.',
  })
  tagline!: string;

  @Setting({
    env: 'SITE_PAGES_DIR',
    why: 'Folder with about.md, rules.md, terms.md, privacy.md and contact.md, each of them optional, in Markdown; unset: no such pages.',
    parse: parse.text,
    default: '',
    example: '/srv/vitrine/pages',
  })
  pagesDir!: string;

  @Setting(MAX_FILE_BYTES_SETTING)
  maxFileBytes!: number;

  @Setting({
    env: 'SITE_API_URL',
    why: 'Base address at which the website itself reaches the API; unset: PUBLIC_API_URL.',
    parse: parse.webAddress,
    default: '',
    example: 'http://api-gateway:3000/api/v1',
  })
  internalApi!: string;

  @Setting({
    env: 'SITE_FILES_URL',
    why: 'Base address at which the website itself reads files, for archives of posts; unset: PUBLIC_CDN_URL.',
    parse: parse.webAddress,
    default: '',
    example: 'http://upload-service:3001',
  })
  internalFiles!: string;

  @Setting({
    env: 'SITE_SERVICE_KEY',
    why: 'Secret with which the website proves its identity, so that the visitor address it passes on is trusted; unset: it never is.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
    warning: parse.warnIfGuessable('a-long-random-text-of-32-characters-or-more'),
  })
  siteServiceKey!: string;
}
