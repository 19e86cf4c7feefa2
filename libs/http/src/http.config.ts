import { parse, Setting } from '@vitrine/runtime';

const perMinute = parse.integer(1, 1_000_000);

/** What both public hosts take. */
export class HttpConfig {
  @Setting({
    env: 'TRUSTED_PROXIES',
    why: 'Networks (CIDR, comma-separated) of the proxies whose X-Forwarded-For names the client; unset: none.',
    parse: parse.networks,
    default: [],
    example: '10.0.0.0/8,fd00::/8',
    doubt: parse.doubtTheWorld,
  })
  trustedProxies!: readonly string[];

  @Setting({
    env: 'RATE_LIMIT_PUBLIC_PER_MINUTE',
    why: 'Requests a minute per address (IPv6: per /64) without a token.',
    parse: perMinute,
    default: 30,
    example: '30',
  })
  publicPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_USER_PER_MINUTE',
    why: 'Requests a minute per account with a token, whichever of its tokens.',
    parse: perMinute,
    default: 120,
    example: '120',
  })
  userPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_SITE_FACTOR',
    why: 'How many times these limits a visitor has through the web site, whose pages take several calls each.',
    parse: parse.integer(1, 1000),
    default: 10,
    example: '10',
  })
  siteFactor!: number;

  @Setting({
    env: 'SITE_SERVICE_KEY',
    why: 'Secret with which the web site proves that the visitor’s address it passes on is true; unset: nobody can.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
    doubt: parse.doubtGuessable('a-long-random-text-of-32-characters-or-more'),
  })
  siteServiceKey!: string;

  @Setting({
    env: 'MAX_CONCURRENT_REQUESTS',
    why: 'Requests that one process of a public host works on at a time, uploads and files apart; what exceeds it is answered 503.',
    parse: parse.integer(1, 10_000),
    default: 100,
    example: '100',
  })
  maxConcurrentRequests!: number;
}
