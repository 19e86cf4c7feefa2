import { webAddress } from './parsers';
import { Consistent, Setting, type Environment } from './setting';

const local = (port: string, fallback: number, path: string) => (env: Environment) =>
  `http://localhost:${env[port]?.trim() || fallback}${path}`;

const ADDRESSES = ['api', 'upload', 'cdn', 'site'] as const;

/** Whether an https:// page may not load from this address: browsers allow http:// only on the visitor's own machine. */
const isInsecure = (address: string): boolean =>
  /^http:/i.test(address) && !/^http:\/\/(localhost|127\.[\d.]+|\[::1\])(?=[:/]|$)/i.test(address);

const httpsIfOthersAre = (field: (typeof ADDRESSES)[number]) =>
  Consistent<PublicUrlsConfig>({
    field,
    must: 'begin with https:// as other public addresses do',
    holds: (config) =>
      !isInsecure(config[field]) || !ADDRESSES.some((other) => /^https:/i.test(config[other])),
  });

/** The public addresses of the service; every link in a response is built on them. */
@httpsIfOthersAre('api')
@httpsIfOthersAre('upload')
@httpsIfOthersAre('cdn')
@httpsIfOthersAre('site')
export class PublicUrlsConfig {
  @Setting({
    env: 'PUBLIC_API_URL',
    why: 'Base address of the API as clients see it; unset: localhost and API_PORT.',
    parse: webAddress,
    default: local('API_PORT', 3000, '/api/v1'),
    example: 'https://api.example.org/api/v1',
  })
  api!: string;

  @Setting({
    env: 'PUBLIC_UPLOAD_URL',
    why: 'Address of the upload endpoint as clients see it; unset: localhost and UPLOAD_PORT.',
    parse: webAddress,
    default: local('UPLOAD_PORT', 3001, '/api/v1/media'),
    example: 'https://upload.example.org/api/v1/media',
  })
  upload!: string;

  @Setting({
    env: 'PUBLIC_CDN_URL',
    why: 'Host that serves stored files as clients see it; unset: localhost and UPLOAD_PORT.',
    parse: webAddress,
    default: local('UPLOAD_PORT', 3001, ''),
    example: 'https://cdn.example.org',
  })
  cdn!: string;

  @Setting({
    env: 'PUBLIC_SITE_URL',
    why: 'Address of the website as visitors see it; unset: localhost and SITE_PORT.',
    parse: webAddress,
    default: local('SITE_PORT', 3002, ''),
    example: 'https://www.example.org',
  })
  site!: string;
}
