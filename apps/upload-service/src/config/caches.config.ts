import { parse, Setting } from '@vitrine/runtime';

const addresses = (raw: string): readonly string[] => parse.list(raw).map(parse.webAddress);

/** What a purger needs to know about an account at a CDN. */
export interface CdnAccount {
  /** Address of the API, without a slash at its end. */
  readonly apiUrl: string;
  /** Of the zone or the service. */
  readonly id: string;
  readonly token: string;
}

/** An account as the address of the API with the id as the user and the token as the password. */
function cdnAccount(raw: string): CdnAccount {
  const url = new URL(parse.url('https', 'http')(raw));
  const [id, token] = [url.username, decodeURIComponent(url.password)];
  if (!/^[A-Za-z0-9]{1,64}$/.test(id) || !/^[\x21-\x7E]+$/.test(token) || url.search || url.hash)
    throw new Error('the address of the API with an id and a token, percent-encoded, before its host');
  return { apiUrl: `${url.origin}${url.pathname.replace(/\/$/, '')}`, id, token };
}

/** The caches in front of the file host that are told when files are withdrawn or replaced. */
export class CachesConfig {
  @Setting({
    env: 'CACHE_VARNISH_URLS',
    why: 'Addresses of Varnish caches with docker/varnish/files.vcl, separated by commas; a purge is sent to all addresses of a name. Empty: none.',
    parse: addresses,
    default: [],
    example: 'http://varnish:6081',
  })
  varnishUrls!: readonly string[];

  @Setting({
    env: 'CACHE_NGINX_URLS',
    why: 'Addresses of the purge servers of nginx caches with docker/nginx/cache.conf, separated by commas; a purge is sent to all addresses of a name. Empty: none.',
    parse: addresses,
    default: [],
    example: 'http://nginx:8081',
  })
  nginxUrls!: readonly string[];

  @Setting({
    env: 'CACHE_CLOUDFLARE_URL',
    why: 'The Cloudflare zone that caches files: the address of the API with the id of the zone, and an API token with the permission “Cache Purge” for this zone only. Empty: none.',
    parse: cdnAccount,
    default: null,
    secret: true,
    example: 'https://0123456789abcdef0123456789abcdef:api-token-of-cloudflare@api.cloudflare.com/client/v4',
  })
  cloudflare!: CdnAccount | null;

  @Setting({
    env: 'CACHE_FASTLY_URL',
    why: 'The Fastly service that caches files: the address of the API with the id of the service, and an API token with the scope purge_select for this service only. Empty: none.',
    parse: cdnAccount,
    default: null,
    secret: true,
    example: 'https://AbCdEf0123456789AbCdEf:api-token-of-fastly@api.fastly.com',
  })
  fastly!: CdnAccount | null;
}
