import { parse, PublicUrlsConfig, Setting } from '@vitrine/runtime';

/** Where the website listens, and the addresses that it shows. */
export class WebsiteConfig extends PublicUrlsConfig {
  @Setting({
    env: 'SITE_PORT',
    why: 'Port of the website.',
    parse: parse.port,
    default: 3002,
    example: '3002',
  })
  port!: number;
}
