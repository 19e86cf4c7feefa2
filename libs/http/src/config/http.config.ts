import { atMost, Consistent, parse, Setting } from '@vitrine/runtime';

const perMinute = parse.integer(1, 1_000_000);

const REQUESTS_PER_ADDRESS = 50;

/** Settings of both public hosts. */
@Consistent<HttpConfig>({
  field: 'maxConcurrentRequestsPerAddress',
  must: 'be no more than MAX_CONCURRENT_REQUESTS',
  beside: 'MAX_CONCURRENT_REQUESTS',
  holds: (config) => config.maxConcurrentRequestsPerAddress <= config.maxConcurrentRequests,
})
export class HttpConfig {
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
    why: 'Requests a minute per account, with all of its tokens together.',
    parse: perMinute,
    default: 120,
    example: '120',
  })
  userPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_OPTIONS_PER_MINUTE',
    why: 'OPTIONS requests a minute per address; browsers send one before most calls from pages of other origins, and remember the answer for a day.',
    parse: perMinute,
    default: 600,
    example: '600',
  })
  optionsPerMinute!: number;

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
    why: 'Requests that one process of a public host handles at a time, not counting uploads and files; further ones are answered 503.',
    parse: parse.integer(1, 10_000),
    default: 100,
    example: '100',
  })
  maxConcurrentRequests!: number;

  @Setting({
    env: 'MAX_CONCURRENT_REQUESTS_PER_ADDRESS',
    why: 'The part of MAX_CONCURRENT_REQUESTS that one address (IPv6: one /64) may use; requests from the website count for its visitors. Unset: 50, or MAX_CONCURRENT_REQUESTS if that is less.',
    parse: parse.integer(1, 10_000),
    default: atMost('MAX_CONCURRENT_REQUESTS', REQUESTS_PER_ADDRESS),
    example: '50',
  })
  maxConcurrentRequestsPerAddress!: number;
}
