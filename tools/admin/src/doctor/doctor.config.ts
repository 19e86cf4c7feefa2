import { parse, Setting } from '@vitrine/runtime';

/*
 * Settings of processes that are not installed with the admin command, declared again for the doctor. They must be the same
 * (env-example compares them).
 */

export class PublicHostsConfig {
  @Setting({
    env: 'SITE_SERVICE_KEY',
    why: 'Secret with which the website proves its identity, so that the visitor address it passes on is trusted; unset: it never is.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
  })
  siteServiceKey!: string;

  @Setting({
    env: 'RATE_LIMIT_PUBLIC_PER_MINUTE',
    why: 'Requests a minute per address (IPv6: per /64) without a token.',
    parse: parse.integer(1, 1_000_000),
    default: 30,
    example: '30',
  })
  publicPerMinute!: number;

  @Setting({
    env: 'RATE_LIMIT_USER_PER_MINUTE',
    why: 'Requests a minute per account, with all of its tokens together.',
    parse: parse.integer(1, 1_000_000),
    default: 120,
    example: '120',
  })
  userPerMinute!: number;
}
