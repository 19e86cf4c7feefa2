import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { events } from '@vitrine/contracts';
import { queuesOf } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { createTestDatabase, describeUnless, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runAdmin } from '../run-admin';
import { examine, type Finding } from './check';

/** Used as every password and key. */
const CANARY = 'canary-7b1e';
/** Nothing listens at this address. */
const NOWHERE = '127.0.0.1:1';

describe('npm run admin -- doctor', () => {
  let database: TestDatabase;
  let folder: string;
  let servers: Server[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'vitrine-doctor-'));
  });
  afterEach(() => {
    servers.splice(0).forEach((server) => server.close());
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the doctor with exactly this environment; returns its output and its findings. */
  const examineWith = async (settings: Readonly<Record<string, string>>) => {
    const before = process.env;
    process.env = { PATH: before['PATH'], ...settings };
    const lines: string[] = [];
    const complaints: string[] = [];
    try {
      const status = await runAdmin(['doctor', '--json'], {
        print: (line) => void lines.push(line),
        complain: (line) => void complaints.push(line),
      });
      const output = [...lines, ...complaints].join('\n');
      expect(output).not.toContain(CANARY);
      const { healthy, findings } = JSON.parse(lines.join('\n')) as {
        healthy: boolean;
        findings: readonly Finding[];
      };
      expect(healthy).toBe(status === 0);
      const of = (check: string, state: Finding['state']): string[] =>
        findings
          .filter((finding) => finding.check === check && finding.state === state)
          .map(({ found, advice }) => (advice === undefined ? found : `${found} — ${advice}`));
      return { status, findings, of, complaints };
    } finally {
      process.env = before;
    }
  };
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers = [...servers, server];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** Answers as a process of Vitrine does to the paths that the doctor asks for; `any` knows the paths of all. */
  const answerAs =
    (process: 'any' | 'api-gateway' | 'website'): RequestListener =>
    ({ url = '' }, response) => {
      const [status, type] =
        url === '/api/openapi.json' && process !== 'website'
          ? [200, 'json']
          : url === '/upload' && process === 'any'
            ? [405, 'json']
            : url === '/' && process !== 'api-gateway'
              ? [200, 'html']
              : [404, process === 'website' ? 'html' : 'json'];
      response.writeHead(status as number, {
        'X-Request-Id': randomUUID(),
        'Content-Type': type === 'json' ? 'application/json; charset=utf-8' : 'text/html',
      });
      response.end();
    };
  const publicUrls = (url: string) => ({
    PUBLIC_API_URL: url,
    PUBLIC_UPLOAD_URL: url,
    PUBLIC_CDN_URL: url,
    PUBLIC_SITE_URL: url,
  });
  const withClient = async (url: string, sql: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  const script = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o755);
    return path;
  };

  it('reports no problem in a working installation', async () => {
    const ours = await serve(answerAs('any'));
    const encoders = ['libx264', 'aac', 'png', 'libwebp_anim', 'hevc', 'libjxl'].map(
      (name) => ` V..... ${name} A coder`,
    );
    const tool = await script('ffmpeg', `echo "ffmpeg version 7.1"; echo "${encoders.join('\n')}"`);
    await script('ffprobe', 'echo "ffprobe version 7.1"');
    const transport = createTransport({ url: database.url, publishTimeoutMs: 5_000 }, 'spec');
    await transport.declare(queuesOf(Object.values(events)));
    await transport.close();

    const { status, findings, complaints } = await examineWith({
      ...publicUrls(ours),
      PUBLIC_API_URL: `${ours}/api`,
      PUBLIC_UPLOAD_URL: `${ours}/upload`,
      DATABASE_URL: database.url,
      STORAGE_URL: `file://${folder}/objects`,
      SITE_SERVICE_KEY: '0f8a1d5ce2b4973600ffab1264d09e7c',
      FFMPEG_PATH: tool,
    });

    expect([status, complaints]).toEqual([0, []]);
    expect(
      findings.filter(({ check, state }) => state !== 'ok' && !['folders', 'isolation'].includes(check)),
    ).toEqual([
      expect.objectContaining({ check: 'replicas', state: 'skipped' }),
      expect.objectContaining({ check: 'Redis', state: 'skipped' }),
    ]);
    expect(findings.map(({ found }) => found)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^PostgreSQL \d+ answers$/),
        'the schema matches this release',
        'a test message was sent and received through PostgreSQL',
        'objects in the folder can be written, read and deleted',
        expect.stringMatching(/^videos are processed by ffmpeg 7\.1 from /),
        'PUBLIC_SITE_URL leads to Vitrine',
      ]),
    );
  });

  it('reports hosts that lead to another process', async () => {
    const [api, website] = await Promise.all([serve(answerAs('api-gateway')), serve(answerAs('website'))]);

    const crossed = await examineWith({
      PUBLIC_API_URL: `${website}/api`,
      PUBLIC_UPLOAD_URL: `${api}/upload`,
      PUBLIC_CDN_URL: website,
      PUBLIC_SITE_URL: api,
    });

    expect(crossed.of('addresses', 'problem').map((words) => words.split(':')[0])).toEqual(
      expect.arrayContaining(
        ['API', 'UPLOAD', 'CDN', 'SITE'].map((which) =>
          expect.stringMatching(
            new RegExp(
              `^PUBLIC_${which}_URL leads to another process of Vitrine, which answered \\d+ — Compare`,
            ),
          ),
        ),
      ),
    );
  });

  it('reports services that can not be reached, without their credentials', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const { status, of, complaints } = await examineWith({
      ...publicUrls(`http://${NOWHERE}`),
      PUBLIC_SITE_URL: 'http://nowhere.invalid',
      DATABASE_URL: `postgresql://vitrine:${CANARY}@${NOWHERE}/vitrine`,
      BUS_URL: `postgresql://bus:${CANARY}@${NOWHERE}/vitrine`,
      DATABASE_REPLICA_URLS: `postgresql://vitrine:${CANARY}@${NOWHERE}/vitrine`,
      REDIS_URL: `redis://:${CANARY}@${NOWHERE}`,
      STORAGE_URL: `file://${folder}/a-file/objects`,
      FFMPEG_PATH: '/nowhere/ffmpeg',
    });

    expect(status).toBe(1);
    expect(complaints.join()).toMatch(/^There are \d+ problems\.$/);
    for (const check of [
      'database',
      'migrations',
      'replicas',
      'bus',
      'storage',
      'Redis',
      'clock',
      'folders',
    ]) {
      expect([check, of(check, 'problem').length]).toEqual([check, 1]);
    }
    expect(of('database', 'problem')[0]).toContain(
      'Check that PostgreSQL runs and that DATABASE_URL has its address',
    );
    expect(of('ffmpeg', 'problem')).toEqual([
      "ffmpeg can't be run from /nowhere/ffmpeg; set FFMPEG_PATH to a working ffmpeg — Install the system's ffmpeg, or correct the setting.",
    ]);
    expect(of('addresses', 'problem')).toHaveLength(1);
    expect(of('addresses', 'warning')).toHaveLength(3);
  });

  it('reports services that answer but are misconfigured', async () => {
    const sick = await createTestDatabase();
    const user = `doctor_${randomUUID().slice(0, 8)}`;
    await withClient(
      sick.url,
      `create role ${user} login password '${CANARY}';
       grant select on all tables in schema public to ${user};
       grant usage on schema bus to ${user};
       grant select on bus.queues, bus.dead_letters, bus.messages to ${user};
       delete from schema_migrations where name = 'baseline';
       insert into schema_migrations (name) values ('9999_of_the_future');
       insert into bus.dead_letters (id, queue, envelope, reason, attempts)
       values (1, 'media-processor.media.processing_requested', '{}', 'Broken', 5)`,
    );
    const theirs = await serve((_request, response) => void response.end('Welcome to nginx'));
    const broken = await serve((_request, response) => {
      response.writeHead(503, { 'X-Request-Id': randomUUID() }).end();
    });
    const late = await serve((_request, response) => {
      response
        .writeHead(200, { 'X-Request-Id': 'x', Date: new Date(Date.now() - 600_000).toUTCString() })
        .end();
    });
    const address = new URL(sick.url);
    address.username = user;
    address.password = CANARY;
    try {
      const { status, of } = await examineWith({
        DATABASE_URL: address.toString(),
        BUS_URL: sick.url,
        DATABASE_REPLICA_URLS: sick.url,
        DATABASE_POOL_SIZE: '200',
        STORAGE_URL: `file://${folder}/objects`,
        PUBLIC_API_URL: theirs,
        PUBLIC_UPLOAD_URL: broken,
        PUBLIC_CDN_URL: late,
        PUBLIC_SITE_URL: late,
        SITE_SERVICE_KEY: 'a-long-random-text-of-32-characters-or-more',
        TRUSTED_PROXIES: '0.0.0.0/0',
        RATE_LIMIT_PUBLIC_PER_MINUTE: '500',
        VIDEO_TOOLS: 'system',
        FFMPEG_PATH: await script(
          'old-ffmpeg',
          'echo "ffmpeg version 4.4"; echo " V..... libx264 An encoder"',
        ),
        UPLOAD_IDLE_SECONDS: '60',
        UPLOAD_TOTAL_SECONDS: '30',
      });

      expect(status).toBe(1);
      expect(of('settings', 'problem')).toEqual([
        'UPLOAD_IDLE_SECONDS must be no more than UPLOAD_TOTAL_SECONDS, for example UPLOAD_IDLE_SECONDS=20 with UPLOAD_TOTAL_SECONDS=1800 — Correct this setting; no process starts with this value.',
      ]);
      expect(of('database', 'problem')[0]).toContain(
        `its user may not read and write bus.dead_letters, bus.messages, bus.queues and others — Run as the owner of the database: npm run admin -- migrate --grant-to`,
      );
      expect(of('database', 'warning')[0]).toContain('may need 620 connections');
      expect(of('migrations', 'problem')).toEqual([
        '1 steps are missing, from baseline on — Run: npm run admin -- migrate',
        'the database is newer than this release: it has 9999_of_the_future — Run the release that migrated it, or a later one.',
      ]);
      expect(of('replicas', 'problem')[0]).toContain('replica 1 is not a replica: it accepts writes');
      expect(of('bus', 'warning')).toEqual([
        expect.stringMatching(/queues do not exist yet, such as .* — Start the processes/),
        'there are 1 dead letters — List them with: npm run admin -- dead-letters list',
      ]);
      expect(of('addresses', 'problem')).toEqual(
        expect.arrayContaining([
          expect.stringContaining('PUBLIC_API_URL is answered 200 by something that is not Vitrine'),
          expect.stringContaining('PUBLIC_UPLOAD_URL is answered 503 — Read the log'),
          expect.stringMatching(
            /the clock behind PUBLIC_SITE_URL and ours are (599|60\d)\.\d s apart — Synchronise the clocks/,
          ),
        ]),
      );
      expect(of('site key', 'problem')).toEqual([
        'SITE_SERVICE_KEY can be guessed — Generate another with: openssl rand -hex 32',
      ]);
      expect(of('limits', 'warning')[0]).toContain(
        'an account may make 120 requests a minute, and an anonymous client 500',
      );
      expect(of('ffmpeg', 'warning')[0]).toMatch(/^ffmpeg 4\.4 from .* is old/);
      expect(of('ffmpeg', 'problem')[0]).toContain('ffmpeg lacks aac, png, libwebp_anim');
    } finally {
      await withClient(sick.url, `drop owned by ${user}; drop role ${user}`);
      await sick.drop();
    }
  });

  describe('where programs are missing', () => {
    /** A PATH with only these programs. */
    const pathWith = async (...programs: readonly string[]): Promise<string> => {
      const path = await mkdtemp(join(folder, 'path-'));
      const found = await Promise.all(programs.map((name) => promisify(execFile)('which', [name])));
      await Promise.all(
        found.map(({ stdout }, index) => symlink(stdout.trim(), join(path, `${programs[index]}`))),
      );
      return path;
    };
    const isRoot = process.getuid?.() === 0;

    const isolationWith = async (...programs: readonly string[]): Promise<readonly string[]> => {
      const { of } = await examineWith({ PATH: await pathWith(...programs) });
      return of('isolation', 'warning');
    };

    const namespace = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    const namespaces = spawnSync('unshare', [...namespace, 'true']).status === 0;
    describeUnless(namespaces ? null : 'unshare makes no namespaces', 'on a system with namespaces', () => {
      it('reports that util-linux isolates decoders', async () => {
        expect(await isolationWith('unshare', 'setpriv')).toEqual([
          expect.stringMatching(
            /^decoders run without privileges and network.* \(util-linux\) — Install bubblewrap/,
          ),
        ]);
      });
    });

    it('reports that decoders are hardly isolated, and what helps', async () => {
      const as = isRoot ? 'as another user without privileges' : 'as this user';
      expect(await isolationWith('setpriv')).toEqual([
        expect.stringMatching(
          new RegExp(`^decoders run ${as}.* — Install bubblewrap \\(Debian: apt install bubblewrap\\)`),
        ),
      ]);
      expect(await isolationWith()).toEqual([
        expect.stringMatching(/^decoders run as this user, reach the network .* — Install bubblewrap/),
      ]);
    });

    it('says that the bundled ffmpeg is used if there is no other, or that videos are refused', async () => {
      const PATH = await pathWith();
      expect((await examineWith({ PATH })).of('ffmpeg', 'ok')).toEqual([
        expect.stringMatching(/^videos are processed by FFmpeg \d+\.\d+ of node-av \d+\.\d+\.\d+$/),
      ]);
      expect((await examineWith({ PATH, VIDEO_TOOLS: 'system' })).of('ffmpeg', 'warning')).toEqual([
        'videos are refused: no ffmpeg is installed — Install ffmpeg (Debian: apt install ffmpeg), and start Vitrine again.',
      ]);
    });
  });

  it('finds a database in which a search misses letters beyond ASCII', async () => {
    const name = `ascii_${randomUUID().slice(0, 8)}`;
    await withClient(
      database.url,
      `create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C'`,
    );
    const address = new URL(database.url);
    address.pathname = `/${name}`;
    try {
      const { of } = await examineWith({ DATABASE_URL: address.toString() });
      expect(of('database', 'warning')).toEqual([expect.stringContaining('case of ASCII letters only')]);
    } finally {
      await withClient(database.url, `drop database ${name} with (force)`);
    }
  });

  it('ends a check after its time limit and runs the others', async () => {
    const findings = await examine(
      [
        { name: 'hangs', advice: 'Wait.', run: () => new Promise(() => undefined) },
        {
          name: 'quotes',
          advice: 'Fix it.',
          run: () => Promise.reject(new Error('no postgresql://u:p@host')),
        },
        { name: 'works', advice: 'None.', run: (_environment, report) => report.ok('it works') },
      ],
      {},
      20,
    );
    expect(findings).toEqual([
      { check: 'hangs', state: 'problem', found: 'no answer within 0.02 s', advice: 'Wait.' },
      { check: 'quotes', state: 'problem', found: 'no postgresql://…@host', advice: 'Fix it.' },
      { check: 'works', state: 'ok', found: 'it works' },
    ]);
  });

  it('prints a line for each finding', async () => {
    const lines: string[] = [];
    await runAdmin(['doctor'], { print: (line) => void lines.push(line), complain: () => undefined });
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line).toMatch(/^(ok|warning|problem|skipped) +\S/);
  });
});
