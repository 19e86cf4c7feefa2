import { parse, Setting, VARIANT_RETENTION_DAYS_SETTING } from '@vitrine/runtime';

/** Which variants are removed, and how many one client may have made again. */
export class RetentionConfig {
  @Setting(VARIANT_RETENTION_DAYS_SETTING)
  days!: number;

  @Setting({
    env: 'RATE_LIMIT_REMAKES_PER_MINUTE',
    why: 'Removed sizes that one address may have made again per minute; above this, its requests for removed sizes get 503 with Retry-After.',
    parse: parse.integer(1, 1_000_000),
    default: 120,
    example: '120',
  })
  remakesPerMinute!: number;
}
