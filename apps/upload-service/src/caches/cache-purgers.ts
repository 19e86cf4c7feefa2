import { Injectable } from '@nestjs/common';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { CachesConfig } from '../config/caches.config';
import type { CachePurger } from './cache-purger';
import { CloudflarePurger } from './cloudflare-purger';
import { FastlyPurger } from './fastly-purger';
import { NginxPurger } from './nginx-purger';
import { VarnishPurger } from './varnish-purger';

/** Seconds within which a cache must answer a purge; the purge is repeated if it doesn't. */
const TIMEOUT_SECONDS = 5;

/** The caches that are configured, of each kind one. */
@Injectable()
export class CachePurgers {
  readonly all: readonly CachePurger[];
  readonly names: readonly string[];

  constructor(config: CachesConfig, { cdn, upload }: PublicUrlsConfig) {
    this.all = [
      ...(config.varnishUrls.length > 0 ? [new VarnishPurger(config.varnishUrls, TIMEOUT_SECONDS)] : []),
      ...(config.nginxUrls.length > 0 ? [new NginxPurger(config.nginxUrls, TIMEOUT_SECONDS)] : []),
      ...(config.cloudflareZone === ''
        ? []
        : [
            new CloudflarePurger({
              apiUrl: config.cloudflareApiUrl,
              zone: config.cloudflareZone,
              token: config.cloudflareToken,
              purgeBy: config.cloudflarePurgeBy,
              // Files are served under both.
              hosts: [...new Set([cdn, new URL(upload).origin])],
              timeoutSeconds: TIMEOUT_SECONDS,
            }),
          ]),
      ...(config.fastlyService === ''
        ? []
        : [
            new FastlyPurger({
              apiUrl: config.fastlyApiUrl,
              service: config.fastlyService,
              token: config.fastlyToken,
              timeoutSeconds: TIMEOUT_SECONDS,
            }),
          ]),
    ];
    this.names = this.all.map(({ name }) => name);
  }
}
