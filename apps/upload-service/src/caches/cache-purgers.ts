import { Injectable } from '@nestjs/common';
import { CachesConfig } from '../config/caches.config';
import type { CachePurger } from './cache-purger';
import { CloudflarePurger, FastlyPurger } from './cdn-purgers';
import { NginxPurger, VarnishPurger } from './own-cache-purgers';

/** Seconds within which a cache must answer a purge; the purge is repeated if it doesn't. */
const TIMEOUT_SECONDS = 5;

/** The caches that are configured, of each kind one. */
@Injectable()
export class CachePurgers {
  readonly all: readonly CachePurger[];
  readonly names: readonly string[];

  constructor(config: CachesConfig) {
    this.all = [
      ...(config.varnishUrls.length > 0 ? [new VarnishPurger(config.varnishUrls, TIMEOUT_SECONDS)] : []),
      ...(config.nginxUrls.length > 0 ? [new NginxPurger(config.nginxUrls, TIMEOUT_SECONDS)] : []),
      ...(config.cloudflare ? [new CloudflarePurger(config.cloudflare, TIMEOUT_SECONDS)] : []),
      ...(config.fastly ? [new FastlyPurger(config.fastly, TIMEOUT_SECONDS)] : []),
    ];
    this.names = this.all.map(({ name }) => name);
  }
}
