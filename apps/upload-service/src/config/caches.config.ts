import { Consistent, parse, Setting } from '@vitrine/runtime';
import { UploadConfig } from './upload.config';

const addresses = (raw: string): readonly string[] => parse.list(raw).map(parse.webAddress);

/** `both` are set, or neither. */
const together = (field: keyof CachesConfig & string, other: keyof CachesConfig, setting: string) =>
  Consistent<CachesConfig>({
    field,
    must: `be set together with ${setting}`,
    beside: setting,
    holds: (config) => (config[field as keyof CachesConfig] === '') === (config[other] === ''),
  });

/** An identifier that becomes a part of a path. */
const identifier = (raw: string): string => {
  if (!/^[A-Za-z0-9]{1,64}$/.test(raw)) throw new Error('letters and digits');
  return raw;
};

/** A value of a header. */
const token = (raw: string): string => {
  if (!/^[\x21-\x7E]+$/.test(raw)) throw new Error('printable characters without spaces');
  return raw;
};

/** The caches in front of the file host that are told when files are withdrawn or replaced. */
@together('cloudflareToken', 'cloudflareZone', 'CACHE_CLOUDFLARE_ZONE')
@Consistent<CachesConfig>({
  field: 'cloudflarePurgeBy',
  must: 'be tag, because nginx sends the same headers to all requests for a file',
  beside: 'FILE_SENDING',
  holds: (config, read) => config.cloudflarePurgeBy === 'tag' || read(UploadConfig).fileSending === 'direct',
})
@together('fastlyToken', 'fastlyService', 'CACHE_FASTLY_SERVICE')
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
    env: 'CACHE_CLOUDFLARE_ZONE',
    why: 'Id of the Cloudflare zone that caches files. Empty: none.',
    parse: identifier,
    default: '',
    example: '0123456789abcdef0123456789abcdef',
  })
  cloudflareZone!: string;

  @Setting({
    env: 'CACHE_CLOUDFLARE_TOKEN',
    why: 'API token with the permission “Cache Purge” for this zone only.',
    parse: token,
    default: '',
    secret: true,
    example: 'api-token-of-cloudflare',
  })
  cloudflareToken!: string;

  @Setting({
    env: 'CACHE_CLOUDFLARE_PURGE_BY',
    why: 'How Cloudflare is purged: by tag, or by url for zones that cannot purge by tag. With url, requests with a header that Cloudflare adds to its cache key are not cached.',
    parse: parse.oneOf('tag', 'url'),
    default: 'tag',
    example: 'tag',
  })
  cloudflarePurgeBy!: 'tag' | 'url';

  @Setting({
    env: 'CACHE_CLOUDFLARE_API_URL',
    why: 'Address of the Cloudflare API.',
    parse: parse.webAddress,
    default: 'https://api.cloudflare.com/client/v4',
    example: 'https://api.cloudflare.com/client/v4',
  })
  cloudflareApiUrl!: string;

  @Setting({
    env: 'CACHE_FASTLY_SERVICE',
    why: 'Id of the Fastly service that caches files. Empty: none.',
    parse: identifier,
    default: '',
    example: 'AbCdEf0123456789AbCdEf',
  })
  fastlyService!: string;

  @Setting({
    env: 'CACHE_FASTLY_TOKEN',
    why: 'API token of Fastly with the scope purge_select for this service only.',
    parse: token,
    default: '',
    secret: true,
    example: 'api-token-of-fastly',
  })
  fastlyToken!: string;

  @Setting({
    env: 'CACHE_FASTLY_API_URL',
    why: 'Address of the Fastly API.',
    parse: parse.webAddress,
    default: 'https://api.fastly.com',
    example: 'https://api.fastly.com',
  })
  fastlyApiUrl!: string;
}
