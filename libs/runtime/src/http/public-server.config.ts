import * as parse from '../config/parsers';
import { atMost, Consistent, Setting } from '../config/setting';

const CONNECTIONS_PER_ADDRESS = 1000;

/** Limits of the server of each public host. */
@Consistent<PublicServerConfig>({
  field: 'maxConnectionsPerAddress',
  must: 'be no more than MAX_CONNECTIONS',
  beside: 'MAX_CONNECTIONS',
  holds: (config) => config.maxConnectionsPerAddress <= config.maxConnections,
})
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
    why: 'Connections that one process of a public host keeps open, idle ones included; each costs a file descriptor and about 20 KB.',
    parse: parse.integer(1, 1_000_000),
    default: 10_000,
    example: '10000',
  })
  maxConnections!: number;

  @Setting({
    env: 'MAX_CONNECTIONS_PER_ADDRESS',
    why: 'Connections that one address (IPv6: one /64) may keep open, but never more than are free; trusted proxies are exempt. Unset: 1000, or MAX_CONNECTIONS if that is less.',
    parse: parse.integer(1, 1_000_000),
    default: atMost('MAX_CONNECTIONS', CONNECTIONS_PER_ADDRESS),
    example: '1000',
  })
  maxConnectionsPerAddress!: number;
}
