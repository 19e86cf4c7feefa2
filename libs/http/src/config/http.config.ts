import { parse, provideConfig, PublicUrlsModule, Setting } from '@vitrine/runtime';
import { Global, Module } from '@nestjs/common';

const perMinute = parse.integer(1, 1_000_000);

/** Settings of both public hosts. */
export class HttpConfig {
  @Setting({
    env: 'RATE_LIMIT_PUBLIC_PER_MINUTE',
    why: 'Requests a minute per address (IPv6: per /64) without a token. The limits of OPTIONS, of missing files and of removed sizes follow from it (20, 2 and 4 times as many).',
    parse: perMinute,
    default: 30,
    example: '30',
  })
  publicPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_USER_PER_MINUTE',
    why: 'Requests a minute per account, with all of its tokens together.',
    parse: perMinute,
    default: 120,
    example: '120',
  })
  userPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_SITE_FACTOR',
    why: 'Factor by which the limits of requests are higher for visitors of the website, whose pages make several calls each.',
    parse: parse.integer(1, 1000),
    default: 10,
    example: '10',
  })
  siteFactor!: number;

  @Setting({
    env: 'SITE_SERVICE_KEY',
    secret: true,
    why: 'Secret with which the website proves its identity, so that the visitor address it passes on is trusted; unset: it never is.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
    warning: parse.warnIfGuessable('a-long-random-text-of-32-characters-or-more'),
  })
  siteServiceKey!: string;

  @Setting({
    env: 'MAX_CONCURRENT_REQUESTS',
    why: 'Requests that one process of a public host handles at a time, not counting uploads and files; one address may have half of them, or 50; further ones are answered 503.',
    parse: parse.integer(1, 10_000),
    default: 100,
    example: '100',
  })
  maxConcurrentRequests!: number;

  /** The part of `maxConcurrentRequests` that one address (IPv6: one /64) may use: half, or fifty if that is more. */
  get maxConcurrentRequestsPerAddress(): number {
    const { maxConcurrentRequests: all } = this;
    return Math.min(all, Math.max(50, Math.ceil(all / 2)));
  }

  /** OPTIONS requests a minute per address: browsers send one before most calls from pages of other origins. */
  get optionsPerMinute(): number {
    return 20 * this.publicPerMinute;
  }

  /** Requests a minute and address for files that don't exist; each costs a query. */
  get missesPerMinute(): number {
    return 2 * this.publicPerMinute;
  }

  /** Removed sizes that one address may have made again a minute; each costs a decoder up to 0.3 s. */
  get remakesPerMinute(): number {
    return 4 * this.publicPerMinute;
  }
}

/** Configuration that every feature of a public host may inject. */
@Global()
@Module({
  imports: [PublicUrlsModule],
  providers: [provideConfig(HttpConfig)],
  exports: [HttpConfig, PublicUrlsModule],
})
export class SharedConfigModule {}
