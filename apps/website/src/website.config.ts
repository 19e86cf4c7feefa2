import { parse, Setting, type Environment } from '@vitrine/runtime';

/** Where the website listens, and the hosts whose addresses it shows. */
export class WebsiteConfig {
  @Setting({
    env: 'SITE_PORT',
    why: 'Port of the website.',
    parse: parse.port,
    default: 3002,
    example: '3002',
  })
  port!: number;

  @Setting({
    env: 'PUBLIC_API_URL',
    why: 'Base address of the API as clients see it; unset: localhost and API_PORT.',
    parse: parse.url('http', 'https'),
    default: (env: Environment) => `http://localhost:${env['API_PORT']?.trim() || 3000}/api/v1`,
    example: 'https://api.example.org/api/v1',
  })
  apiUrl!: string;

  @Setting({
    env: 'PUBLIC_UPLOAD_URL',
    why: 'Address of the upload endpoint as clients see it; unset: localhost and UPLOAD_PORT.',
    parse: parse.url('http', 'https'),
    default: (env: Environment) => `http://localhost:${env['UPLOAD_PORT']?.trim() || 3001}/api/v1/media`,
    example: 'https://upload.example.org/api/v1/media',
  })
  uploadUrl!: string;
}
