import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  debianProgram,
  describeUnless,
  eventually,
  freePort,
  noisePicture,
  type OwnStack,
  startStack,
  whyMissing,
} from '@vitrine/testing';
import sharp from 'sharp';

/** Fewer than each of the three services may have clients of the pooler, so that sessions are mixed. */
const SESSIONS = 5;

/** PgBouncer in front of the tests' PostgreSQL, with its default settings except the pool mode and the number of sessions. */
class Pooler {
  private process: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-pooler-'));
  private port = 0;

  async start(): Promise<void> {
    this.port = await freePort();
    const server = new URL(process.env['VITRINE_TEST_POSTGRES_URL'] ?? '');
    const host = server.searchParams.get('host') ?? server.hostname;
    const settings = join(this.folder, 'pgbouncer.ini');
    writeFileSync(
      settings,
      `[databases]
       * = host=${host} port=${server.port || 5432} user=${server.username} password=${decodeURIComponent(server.password)}
       [pgbouncer]
       listen_addr = 127.0.0.1
       listen_port = ${this.port}
       unix_socket_dir =
       auth_type = any
       pool_mode = transaction
       default_pool_size = ${SESSIONS}
      `.replaceAll(/^ +/gm, ''),
    );
    // It refuses to run as root, and must reach the private socket of PostgreSQL.
    const { uid, gid } = statSync(host.startsWith('/') ? host : this.folder);
    chmodSync(this.folder, 0o755);
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    // It ends with this process, whose end closes the pipe.
    const script = `"$0" -q "$1" & read -r end; kill -KILL $!`;
    this.process = spawn('sh', ['-c', script, debianProgram('pgbouncer'), settings], {
      stdio: ['pipe', 'ignore', 'inherit'],
      ...user,
    });
  }

  /** The address of a database behind the pooler. */
  urlOf(databaseUrl: string): string {
    return `postgresql://pooled@127.0.0.1:${this.port}${new URL(databaseUrl).pathname}`;
  }

  stop(): void {
    this.process?.stdin?.end();
    rmSync(this.folder, { recursive: true });
  }
}

describeUnless(whyMissing('pgbouncer'), 'a transaction pooler', () => {
  const pooler = new Pooler();
  let stack: OwnStack;
  beforeAll(async () => {
    await pooler.start();
    stack = await startStack({ without: ['website'], throughPooler: (url) => pooler.urlOf(url) });
  });
  afterAll(async () => {
    await stack?.close();
    pooler.stop();
  });

  it('carries all services from an upload to its approval, with fewer sessions than connections', async () => {
    const { client } = await stack.createPerson('ada');
    const raw = { width: 640, height: 480, channels: 3 } as const;
    const picture = await sharp(await noisePicture(640, 480, 1), { raw })
      .jpeg()
      .toBuffer();
    const { slug, id } = await client.media.upload(picture, { name: 'noise.jpg' });
    await eventually(async () =>
      expect(await client.media.get(slug)).toMatchObject({ processed: true, moderation_status: 'approved' }),
    );
    const { slug: post } = await client.posts.create({ media_ids: [id], title: 'Pooled' });
    const readers = Array.from({ length: 8 }, async () => {
      for (let turn = 0; turn < 10; turn++) {
        await client.posts.list();
        await client.comments.create(post, { content: `Turn ${turn}` });
      }
    });
    await Promise.all(readers);
    expect((await client.posts.get(post)).comment_count).toBe(80);

    const [sessions] = await stack.sql<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where datname = current_database()
         and application_name in ('vitrine-api-gateway', 'vitrine-upload-service', 'vitrine-moderation-service')`,
    );
    expect(sessions?.count).toBeLessThanOrEqual(SESSIONS);
    for (const service of stack.services.values()) expect(service.output()).not.toContain('"level":"error"');
  });
});
