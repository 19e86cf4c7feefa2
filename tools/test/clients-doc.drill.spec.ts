import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VitrineClient } from '@vitrine/client';
import {
  createTestDatabase,
  freePort,
  type ServiceProcess,
  startService,
  type TestDatabase,
} from '@vitrine/testing';
import { Client } from 'pg';
import sharp from 'sharp';

// Runs the recipes of docs/clients.md unchanged.

const POSTS = 60;

const root = resolve(__dirname, '../..');
const doc = readFileSync(join(root, 'docs/clients.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...doc.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code ?? '');

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const when = (present: boolean): jest.It => (present ? it : it.skip);

describe('the recipes of docs/clients.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-recipes-'));
  let database: TestDatabase;
  const services: ServiceProcess[] = [];
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Links in answers name both hosts, so their ports are chosen before anything starts.
    const [apiPort, uploadPort] = [await freePort(), await freePort()];
    const [API, UPLOAD] = [
      `http://127.0.0.1:${apiPort}/api/v1`,
      `http://127.0.0.1:${uploadPort}/api/v1/media`,
    ];
    const shared = {
      DATABASE_URL: database.url,
      STORAGE_URL: pathToFileURL(join(folder, 'objects')).href,
      API_PORT: String(apiPort),
      UPLOAD_PORT: String(uploadPort),
      PUBLIC_API_URL: API,
      PUBLIC_CDN_URL: `http://127.0.0.1:${uploadPort}`,
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      RATE_LIMIT_USER_PER_MINUTE: '100000',
    };
    for (const name of ['api-gateway', 'upload-service']) {
      services.push(await startService(name, { env: shared }));
    }

    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    await sharp({ create: { width: 320, height: 240, channels: 3, background: '#000', noise } })
      .jpeg()
      .toFile(join(folder, 'photo.jpg'));
    mkdirSync(join(folder, 'node_modules/@vitrine'), { recursive: true });
    symlinkSync(join(root, 'libs/client'), join(folder, 'node_modules/@vitrine/client'));

    const anonymous = new VitrineClient({ baseUrl: API, uploadUrl: UPLOAD });
    const { session } = await anonymous.auth.register({ username: 'ada', password: 'a long password' });
    const ada = anonymous.withToken(session);
    const { token } = await ada.tokens.create({
      name: 'recipes',
      current_password: 'a long password',
    });
    env = { API, UPLOAD, TOKEN: token, NO_PROXY: '*' };
    await publish(ada);
  });

  /**
   * Creates more posts than fit on a page of the recipes. A moderator approves them, because no moderation-service
   * runs here.
   */
  const publish = async (ada: VitrineClient): Promise<void> => {
    const file = new Blob([Uint8Array.from(readFileSync(join(folder, 'photo.jpg')))]);
    const slugs: string[] = [];
    for (let i = 1; i <= POSTS; i++) {
      // A media item can be in 50 posts.
      if (i % 50 === 1) slugs.push((await ada.media.upload(file, { name: 'photo.jpg' })).slug);
      await ada.posts.create({ media_ids: slugs.slice(-1), title: `Harbour no. ${i}`, tags: ['harbour'] });
    }
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("update users set role = 'moderator'");
    await client.end();
    // The role is cached for half a second.
    const { session } = await ada.auth.login({ login: 'ada', password: 'a long password' });
    const { moderation } = ada.withToken(session);
    for (const slug of slugs) await moderation.ruleOnMedia(slug, { status: 'approved', reason: 'A test.' });
  };
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (program: string, args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      input,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}\n${stderr}`);
    return stdout;
  };

  when(works('curl', '--version') && works('jq', '--version'))('curl (needs curl and jq)', () => {
    expect(blocks('sh').length).toBeGreaterThan(8);
    const output = run('sh', ['-eu'], blocks('sh').join('\n'));
    expect(output).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/f\/[A-Za-z0-9]{7}\.jpg$/m);
    expect(output).toMatch(/^404$/m);
    expect(output).toMatch(/^1\n1$/m);
    expect(output.match(/0 {2}Harbour no\. \d+$/gm)).toHaveLength(POSTS);
    expect(output).toContain('Where exactly was this?\nAt the old pier.');
  });

  it('JavaScript', () => {
    const [script] = blocks('js');
    writeFileSync(join(folder, 'recipe.mjs'), script ?? '');
    const output = run(process.execPath, ['recipe.mjs']);
    expect(output).toContain('100 %');
    expect(output.match(/^0 Harbour no\. \d+$/gm)).toHaveLength(POSTS);
  });

  const python = blocks('py');
  when(works('python3', '-c', 'import requests'))('Python with requests (needs both)', () => {
    expect(python).toHaveLength(2);
    expect(run('python3', ['-'], python[0])).toContain('Harbour no. 1\n');
  });
  when(works('python3', '--version'))('Python with its standard library (needs Python)', () => {
    expect(run('python3', ['-'], python[1])).toMatch(/\/f\/[A-Za-z0-9]{7}\.jpg\n/);
  });
});

describe('docs/vitrine.sxcu', () => {
  const uploader = JSON.parse(readFileSync(join(root, 'docs/vitrine.sxcu'), 'utf8')) as Record<
    string,
    unknown
  >;
  interface Schema {
    readonly $ref?: string;
    readonly type?: unknown;
    readonly properties?: Record<string, Schema>;
  }
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  const schemas = document.components.schemas;

  /** The value at `a.b.c` of a response. */
  const typeAt = (schema: Schema | undefined, path: readonly string[]): unknown => {
    const known = schema?.$ref ? schemas[schema.$ref.replace('#/components/schemas/', '')] : schema;
    const [name, ...rest] = path;
    return name === undefined ? known?.type : typeAt(known?.properties?.[name], rest);
  };
  const paths = (names: readonly string[]): string[][] =>
    names.map((name) => (/^\{json:([\w.]+)\}$/.exec(String(uploader[name]))?.[1] ?? '').split('.'));

  // Promise [website]: The documented client files upload to the API.
  it('sends a file as the upload endpoint expects', () => {
    expect(uploader).toMatchObject({
      RequestMethod: 'POST',
      RequestURL: 'http://localhost:3001/api/v1/media',
      Body: 'MultipartFormData',
      Headers: { Authorization: expect.stringMatching(/^Bearer vtr_/) },
    });
    expect(typeAt({ $ref: '#/components/schemas/UploadRequest' }, [String(uploader['FileFormName'])])).toBe(
      'string',
    );
  });

  it('reads only fields that the answers have', () => {
    for (const path of paths(['URL', 'ThumbnailURL', 'DeletionURL'])) {
      expect({ path, type: typeAt(schemas['UploadAnswer'], path) }).toEqual({ path, type: 'string' });
    }
    for (const error of ['Error', 'InvalidFields', 'Banned']) {
      for (const path of paths(['ErrorMessage'])) expect(typeAt(schemas[error], path)).toBe('string');
    }
  });
});
