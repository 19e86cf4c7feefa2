import { Injectable } from '@nestjs/common';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { CachesConfig } from '../config/caches.config';
import type { CachePurger } from './cache-purger';
import { CloudflarePurger } from './cloudflare-purger';
import { FastlyPurger } from './fastly-purger';
import { NginxPurger } from './nginx-purger';
import { VarnishPurger } from './varnish-purger';

/** The caches that are configured, of each kind one. */
@Injectable()
export class CachePurgers {
  readonly all: readonly CachePurger[];
  readonly names: readonly string[];

  constructor(config: CachesConfig, { cdn, upload }: PublicUrlsConfig) {
    const { timeoutSeconds } = config;
    this.all = [
      ...(config.varnishUrls.length > 0 ? [new VarnishPurger(config.varnishUrls, timeoutSeconds)] : []),
      ...(config.nginxUrls.length > 0 ? [new NginxPurger(config.nginxUrls, timeoutSeconds)] : []),
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
              timeoutSeconds,
            }),
          ]),
      ...(config.fastlyService === ''
        ? []
        : [
            new FastlyPurger({
              apiUrl: config.fastlyApiUrl,
              service: config.fastlyService,
              token: config.fastlyToken,
              timeoutSeconds,
            }),
          ]),
    ];
    this.names = this.all.map(({ name }) => name);
  }
}
