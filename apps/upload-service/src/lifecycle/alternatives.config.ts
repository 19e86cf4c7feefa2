import { parse, Setting } from '@vitrine/runtime';

/** How much work WebP and AVIF may cost. */
export class AlternativesConfig {
  @Setting({
    env: 'ALTERNATIVES_SECONDS_PER_HOUR',
    why: 'Seconds per hour that decoders may work, while they have nothing else to do, on sizes of photographs in WebP and AVIF, for browsers that take them. A photograph takes a second or two. All upload-services must have the same value. 0: none are made; those that exist are served.',
    parse: parse.integer(0, 360_000),
    default: 900,
    example: '900',
  })
  secondsPerHour!: number;
}
