import * as parse from '../config/parsers';
import { Setting } from '../config/setting';

/** Limits of the server of each public host. */
export class PublicServerConfig {
  @Setting({
    env: 'TRUSTED_PROXIES',
    why: 'Networks (CIDR, comma-separated) of the proxies whose X-Forwarded-For names the client; unset: none.',
    parse: parse.networks,
    default: [],
    example: '10.0.0.0/8,fd00::/8',
    warning: parse.warnIfAllTrusted,
  })
  trustedProxies!: readonly string[];

  @Setting({
    env: 'MAX_CONNECTIONS',
    why: 'Connections that one process of a public host keeps open, idle ones included; each costs a file descriptor and about 20 KB. One address may have a tenth.',
    parse: parse.integer(1, 1_000_000),
    default: 10_000,
    example: '10000',
  })
  maxConnections!: number;

  /** Connections that one address (IPv6: one /64) may keep open, but never more than are free; trusted proxies are exempt. */
  get maxConnectionsPerAddress(): number {
    return Math.ceil(this.maxConnections / 10);
  }
}
