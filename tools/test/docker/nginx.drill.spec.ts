import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithNginx, startSendingNginx } from '@vitrine/testing';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import { parse } from 'yaml';
import { readCompose } from './compose-file';
import { ROOT } from './docker-build';

const nginx = readCompose().services['nginx'];

/** The files of docker/nginx by their paths in the container of Compose. */
const inCompose = (nginx?.volumes ?? [])
  .map((volume) => volume.split(':'))
  .filter(([source = '']) => source.startsWith('./nginx/'))
  .map(([source = '', target = '']) => [target, source.replace('./nginx/', '')] as const);

const deployment = parse(
  readFileSync(join(ROOT, 'k8s/components/nginx/deployment.yaml'), 'utf8'),
) as IDeployment;
const container = deployment.spec?.template.spec?.containers[0];

describe('the containers that run docker/nginx', () => {
  it('have the same files, image and settings in Compose and Kubernetes', () => {
    const inPods = (container?.volumeMounts ?? [])
      .filter(({ name }) => name === 'configuration')
      .map(({ mountPath, subPath = '' }) => [mountPath, subPath] as const);
    expect(Object.fromEntries(inCompose)).toEqual(Object.fromEntries(inPods));
    expect(container?.image).toBe(`docker.io/${nginx?.image}`);
  });

  it('have every file that another includes, and only folders that they may write', () => {
    const texts = inCompose.map(([, name]) => readFileSync(join(ROOT, 'docker/nginx', name), 'utf8'));
    const included = texts.flatMap((text) =>
      [...text.matchAll(/^\s*include (\S+);/gm)].map(([, path]) => path),
    );
    const mounted = [
      ...inCompose.map(([target]) => target),
      // What the image's entrypoint makes of the template.
      '/etc/nginx/conf.d/*.conf',
    ];
    expect(included.filter((path) => !mounted.includes(path ?? ''))).toEqual([]);

    const written = texts.flatMap((text) =>
      [...text.matchAll(/^\s*(?:pid|\w+_temp_path|proxy_cache_path) (\S+?);?(?= |$)/gm)].map(
        ([, path]) => path,
      ),
    );
    const writable = [
      ...(nginx?.tmpfs ?? []).map((each) => each.split(':')[0] ?? ''),
      ...(nginx?.volumes ?? [])
        .filter((each) => !each.startsWith('.'))
        .map((each) => each.split(':')[1] ?? ''),
    ];
    expect(written.length).toBeGreaterThan(6);
    expect(written.filter((path) => !writable.some((folder) => path?.startsWith(folder)))).toEqual([]);
  });

  it('have an nginx that knows `resolve`, and every setting of the template', () => {
    const [major = 0, minor = 0, patch = 0] =
      /[\d.]+$/
        .exec(nginx?.image ?? '')?.[0]
        .split('.')
        .map(Number) ?? [];
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(1_027_003);
    const template = readFileSync(join(ROOT, 'docker/nginx/addresses.conf.template'), 'utf8');
    const needed = [...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    const known = [...Object.keys(nginx?.environment ?? {}), 'NGINX_REAL_IP', 'NGINX_LOCAL_RESOLVERS'];
    expect(needed.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });
});

describeWithNginx('docker/nginx', () => {
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** Stands for upload-service. */
  const play = async (answer: RequestListener): Promise<string> =>
    `http://${await listen(createServer(answer))}`;
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  it.each([
    ['replaces what a client says about its address', '', '127.0.0.1'],
    ['believes a trusted proxy, but not what the client told it', '127.0.0.0/8, ::1', '198.51.100.7'],
  ])('%s', async (_, trustedProxies, client) => {
    const seen: unknown[] = [];
    const upload = await play(({ url, headers }, response) => {
      const isQuestion = headers['x-vitrine-question'] === '1';
      const names = ['x-forwarded-for', 'x-forwarded-proto', 'host', 'connection'];
      seen.push([isQuestion ? 'question' : url, ...names.map((name) => headers[name])]);
      response.writeHead(isQuestion ? 403 : 200).end();
    });
    const front = await startSendingNginx({ upload, objects: '/nonexistent', trustedProxies });
    try {
      const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7', 'X-Forwarded-Proto': 'https' };
      const paths = ['/api/v1/media', '/f/AAAAAAA.png?download', '/f/AAAAAAA.png'];
      for (const path of paths) expect((await fetch(front.url + path, { headers })).status).toBe(200);
      const told = [client, 'http', new URL(front.url).host, undefined];
      expect(seen).toEqual([...paths.slice(0, 2), 'question', paths[2]].map((asked) => [asked, ...told]));
      expect((await fetch(front.healthUrl)).status).toBe(204);
    } finally {
      await front.stop();
    }
  });

  it('passes on a 503 to a question, without asking a second time', async () => {
    let requests = 0;
    const upload = await play((_request, response) => {
      requests++;
      response.writeHead(503, { 'Retry-After': '7' }).end();
    });
    const front = await startSendingNginx({ upload, objects: '/nonexistent' });
    try {
      const { status, headers } = await fetch(`${front.url}/f/AAAAAAA.png`);
      expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([
        503,
        '7',
        'no-store',
      ]);
      expect(requests).toBe(1);
    } finally {
      await front.stop();
    }
  });

  it.each([
    ['keeps a file of a bucket below 10 MB', 9_999_999, true, 1],
    ['keeps no file of a bucket of 10 MB', 10_000_000, true, 2],
    ['keeps no file of a bucket without a known length', 1000, false, 2],
  ])('%s', async (_, bytes, isLengthKnown, readsOfTwo) => {
    const upload = await play(({ headers }, response) => {
      if (headers['x-vitrine-question'] === '1') return response.writeHead(403).end();
      response.setHeader('X-Accel-Redirect', '/vitrine-files/whole/f/AAAAAAA.png').setHeader('ETag', '"1"');
      return response.setHeader('X-Request-Id', 'one').end();
    });
    let reads = 0;
    const objects = await play((_request, response) => {
      reads++;
      if (isLengthKnown) response.setHeader('Content-Length', bytes);
      response.flushHeaders();
      response.end(Buffer.alloc(bytes));
    });
    const front = await startSendingNginx({ upload, objects });
    try {
      for (let times = 0; times < 2; times++) {
        const answer = await fetch(`${front.url}/f/AAAAAAA.png`);
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, bytes]);
        expect(answer.headers.get('x-request-id')).toBe('one');
      }
      expect(reads).toBe(readsOfTwo);
    } finally {
      await front.stop();
    }
  });

  it('refuses more requests of a client at the same time than allowed', async () => {
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const upload = await play(() => started());
    const front = await startSendingNginx({ upload, objects: '/nonexistent', perClient: 1 });
    const ended = new AbortController();
    try {
      const slow = fetch(`${front.url}/f/AAAAAAA.png?download`, { signal: ended.signal }).catch(
        () => undefined,
      );
      await isStarted;
      const refused = await fetch(`${front.url}/f/AAAAAAB.png`);
      expect([refused.status, await refused.json()]).toEqual([
        503,
        { message: 'Service unavailable, please retry.' },
      ]);
      expect(refused.headers.get('retry-after')).toBe('2');
      ended.abort();
      await slow;
    } finally {
      await front.stop();
    }
  });

  it('reads a bucket by TLS, and only one whose certificate names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-tls-'));
    const certificate = (name: string): { key: string; cert: string } => {
      const [key, cert] = ['key', 'crt'].map((end) => join(folder, `${name}.${end}`));
      const parts = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=${name} -addext`;
      execFileSync(
        'openssl',
        [...parts.split(' '), `subjectAltName=DNS:${name}`, '-keyout', key ?? '', '-out', cert ?? ''],
        { stdio: 'pipe' },
      );
      return { key: readFileSync(key ?? '', 'utf8'), cert: readFileSync(cert ?? '', 'utf8') };
    };
    const [right, wrong] = [certificate('localhost'), certificate('other.example')];
    const upload = await play((_, response) =>
      response.setHeader('X-Accel-Redirect', '/vitrine-files/whole/f/AAAAAAA.png?signature=1').end(),
    );
    const ask = async (pair: { key: string; cert: string }): Promise<unknown> => {
      const bucket = createTlsServer(pair, ({ url, headers }, response) => {
        response.end(JSON.stringify([url, headers.host]));
      });
      const port = (await listen(bucket)).split(':')[1];
      const objects = `https://localhost:${port}`;
      const front = await startSendingNginx({ upload, objects, authorities: right.cert + wrong.cert });
      try {
        const answer = await fetch(`${front.url}/f/AAAAAAA.png?download`);
        return [answer.status, await answer.json()];
      } finally {
        await front.stop();
      }
    };
    try {
      expect(await ask(right)).toEqual([
        200,
        ['/f/AAAAAAA.png?signature=1', expect.stringMatching(/^localhost/)],
      ]);
      expect(await ask(wrong)).toEqual([503, { message: 'Service unavailable, please retry.' }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
