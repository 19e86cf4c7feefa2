import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
/** Used as every password and key: it must not appear in any output. */
const CANARY = 'canary-5f1d';
const DATABASE = `postgresql://vitrine:${CANARY}@127.0.0.1:1/vitrine`;

interface Run {
  readonly status: number | null;
  readonly lines: readonly string[];
}

/** Runs a program with these settings and no others, to its end. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Run> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      VITRINE_DATA_DIR: join(tmpdir(), 'vitrine-configuration-unused'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, lines: written.join('').trimEnd().split('\n').sort() };
}

const main = (name: string): string[] => [join(ROOT, 'apps', name, 'dist/main.js')];

/** Settings with faults, and the expected lines, without the name of the process. */
type Case = readonly [
  what: string,
  name: string,
  settings: Readonly<Record<string, string>>,
  ...lines: string[],
];

const PUBLIC_EXAMPLE: Readonly<Record<string, string>> = {
  PUBLIC_CDN_URL: 'https://cdn.example.org',
  PUBLIC_UPLOAD_URL: 'https://upload.example.org/api/v1/media',
  SITE_SERVICE_KEY: 'a-long-random-text-of-32-characters-or-more',
  DATABASE_URL: 'postgresql://vitrine:secret@db.internal:5432/vitrine',
  BUS_URL: 'amqp://vitrine:secret@rabbitmq.internal:5672',
};
const like = (name: string): string => `for example ${name}=${PUBLIC_EXAMPLE[name]}`;
const UNREADABLE = 'must be a valid URL; percent-encode special characters in its user and password';

const CASES: readonly Case[] = [
  [
    'a database that is missing',
    'api-gateway',
    { BUS_URL: DATABASE },
    `DATABASE_URL is not set, ${like('DATABASE_URL')}`,
  ],
  [
    'settings of many classes',
    'api-gateway',
    {
      API_PORT: '70000',
      MANAGEMENT_PORT: 'ninety',
      STOP_TIMEOUT_SECONDS: '0',
      LOG_FORMAT: 'xml',
      DATABASE_URL: `postgresql://vitrine:${CANARY}%zz@db/vitrine`,
      DATABASE_POOL_SIZE: '0',
      REDIS_URL: `http://:${CANARY}@redis`,
      TRUSTED_PROXIES: '10.0.0.0/64',
      SITE_SERVICE_KEY: CANARY,
      PUBLIC_CDN_URL: `https://${CANARY}@cdn.example.org/?a=b`,
    },
    'API_PORT must be a whole number from 1 to 65535, for example API_PORT=3000',
    'MANAGEMENT_PORT must be a whole number from 1 to 65535, for example MANAGEMENT_PORT=9100',
    'STOP_TIMEOUT_SECONDS must be a whole number from 1 to 3600, for example STOP_TIMEOUT_SECONDS=25',
    'LOG_FORMAT must be one of json, text, for example LOG_FORMAT=json',
    `DATABASE_URL ${UNREADABLE}, ${like('DATABASE_URL')}`,
    'DATABASE_POOL_SIZE must be a whole number from 1 to 200, for example DATABASE_POOL_SIZE=6',
    'REDIS_URL must be a URL that begins with redis:// or rediss://, for example REDIS_URL=redis://:secret@redis.internal:6379',
    'TRUSTED_PROXIES must be addresses or networks in CIDR notation, for example TRUSTED_PROXIES=10.0.0.0/8,fd00::/8',
    `SITE_SERVICE_KEY must be at least 32 characters, ${like('SITE_SERVICE_KEY')}`,
    `PUBLIC_CDN_URL must be an http:// or https:// address without user, query or fragment, ${like('PUBLIC_CDN_URL')}`,
  ],
  [
    'settings that contradict each other',
    'api-gateway',
    {
      DATABASE_URL: DATABASE,
      API_PORT: '9100',
      PUBLIC_API_URL: 'https://api.example.org/api/v1',
      PUBLIC_UPLOAD_URL: 'http://upload.example.org/api/v1/media',
    },
    'API_PORT must differ from MANAGEMENT_PORT, for example API_PORT=3000 with MANAGEMENT_PORT=9100',
    `PUBLIC_UPLOAD_URL must begin with https:// as other public addresses do, ${like('PUBLIC_UPLOAD_URL')}`,
  ],
  [
    'settings of many classes, and contradictions between others',
    'upload-service',
    {
      DATABASE_URL: 'postgresql://localhost',
      BUS_URL: `amqp:vitrine:${CANARY}@rabbitmq`,
      BUS_RETRY_DELAYS_MS: '1s',
      MAX_FILE_BYTES: '100MB',
      UPLOAD_IDLE_SECONDS: '60',
      UPLOAD_TOTAL_SECONDS: '30',
      ORPHAN_AGE_SECONDS: '60',
      CACHE_CLOUDFLARE_URL: `https://:${CANARY}@api.cloudflare.com/client/v4`,
      UPLOAD_PORT: '9101',
      MANAGEMENT_PORT: '9101',
    },
    `DATABASE_URL must be a URL that names the database after the host, ${like('DATABASE_URL')}`,
    `BUS_URL must be a URL that begins with amqp:// or amqps:// or postgresql:// or postgres://, ${like('BUS_URL')}`,
    'BUS_RETRY_DELAYS_MS must be milliseconds separated by commas, for example BUS_RETRY_DELAYS_MS=1000,5000,25000,120000',
    'MAX_FILE_BYTES must be a whole number from 1 to 10737418240, for example MAX_FILE_BYTES=104857600',
    'UPLOAD_IDLE_SECONDS must be no more than UPLOAD_TOTAL_SECONDS, for example UPLOAD_IDLE_SECONDS=20 with UPLOAD_TOTAL_SECONDS=1800',
    'CACHE_CLOUDFLARE_URL must be the address of the API with an id and a token, percent-encoded, before its host, for example CACHE_CLOUDFLARE_URL=https://0123456789abcdef0123456789abcdef:api-token-of-cloudflare@api.cloudflare.com/client/v4',
    'ORPHAN_AGE_SECONDS must be more than UPLOAD_IDLE_SECONDS, or files are removed while they arrive, for example ORPHAN_AGE_SECONDS=3600 with UPLOAD_IDLE_SECONDS=20',
    'UPLOAD_PORT must differ from MANAGEMENT_PORT, for example UPLOAD_PORT=3001 with MANAGEMENT_PORT=9100',
  ],
  [
    'a bus that is missing, and limits that are out of range',
    'media-processor',
    { MEDIA_MEMORY_LIMIT_MB: '2', MEDIA_CONCURRENCY: '300' },
    `BUS_URL is not set, nor is DATABASE_URL, ${like('BUS_URL')}`,
    'MEDIA_MEMORY_LIMIT_MB must be a whole number from 256 to 16384, for example MEDIA_MEMORY_LIMIT_MB=2048',
    'MEDIA_CONCURRENCY must be a whole number from 1 to 64, for example MEDIA_CONCURRENCY=2',
  ],
  [
    'settings of many classes',
    'moderation-service',
    { DATABASE_URL: `mysql://root:${CANARY}@db/vitrine`, BUS_URL: DATABASE, DATABASE_POOL_SIZE: 'two' },
    `DATABASE_URL must be a URL that begins with postgresql:// or postgres://, ${like('DATABASE_URL')}`,
    'DATABASE_POOL_SIZE must be a whole number from 1 to 200, for example DATABASE_POOL_SIZE=6',
  ],
  [
    'settings of many classes',
    'website',
    {
      SITE_PORT: '3002',
      MANAGEMENT_PORT: '3002',
      SITE_API_URL: 'api-gateway:3000',
      SITE_SERVICE_KEY: CANARY,
      LOG_LEVEL: 'verbose',
    },
    'SITE_PORT must differ from MANAGEMENT_PORT, for example SITE_PORT=3002 with MANAGEMENT_PORT=9100',
    'SITE_API_URL must be a URL that begins with http:// or https://, for example SITE_API_URL=http://api-gateway:3000/api/v1',
    `SITE_SERVICE_KEY must be at least 32 characters, ${like('SITE_SERVICE_KEY')}`,
    'LOG_LEVEL must be one of debug, log, warn, error, for example LOG_LEVEL=log',
  ],
];

describe('a process with wrong settings', () => {
  const cases = CASES.map(([what, name, settings, ...lines]) => ({ what, name, settings, lines }));

  it.each(cases)('does not start and reports $what: $name', async ({ name, settings, lines }) => {
    const { status, lines: written } = await run(main(name), settings);

    expect(written).toEqual(lines.map((line) => `${name} can't start: ${line}`).sort());
    expect(status).toBe(1);
    expect(written.join('\n')).not.toContain(CANARY);
  });
});

describe('npm start with wrong settings', () => {
  it('reports the wrong settings of all processes before it starts any', async () => {
    const supervise = `require(${JSON.stringify(join(ROOT, 'tools/dev/dist/supervisor/main.js'))}).supervise({
      root: ${JSON.stringify(ROOT)}, watch: false, orphaned: new AbortController().signal })`;
    const { status, lines } = await run(['-e', supervise], {
      API_PORT: 'x',
      BUS_URL: `amqp:${CANARY}`,
      MEDIA_CONCURRENCY: '0',
      UPLOAD_IDLE_SECONDS: '60',
      UPLOAD_TOTAL_SECONDS: '30',
      SITE_SERVICE_KEY: CANARY,
    });

    expect(lines).toEqual(
      [
        'API_PORT must be a whole number from 1 to 65535, for example API_PORT=3000',
        `BUS_URL must be a URL that begins with amqp:// or amqps:// or postgresql:// or postgres://, ${like('BUS_URL')}`,
        'MEDIA_CONCURRENCY must be a whole number from 1 to 64, for example MEDIA_CONCURRENCY=2',
        'UPLOAD_IDLE_SECONDS must be no more than UPLOAD_TOTAL_SECONDS, for example UPLOAD_IDLE_SECONDS=20 with UPLOAD_TOTAL_SECONDS=1800',
        `SITE_SERVICE_KEY must be at least 32 characters, ${like('SITE_SERVICE_KEY')}`,
      ]
        .map((line) => `Vitrine can't start. ${line}`)
        .sort(),
    );
    expect(status).toBe(1);
  });
});
