import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { withClient } from '@vitrine/database';
import { eventually, PATIENCE_MS } from '@vitrine/testing';
import { FakeStack, type Running } from './fake-stack/fake-stack';

describe('supervisor', () => {
  let started: FakeStack;
  let stack: FakeStack;

  beforeAll(async () => {
    started = await FakeStack.create();
    const running = started.start();
    await started.untilReady(running);
    running.child.kill('SIGTERM');
    expect(await running.exited).toBe(0);
  });
  afterAll(() => started.remove());

  beforeEach(async () => {
    stack = await FakeStack.create(started);
  });

  afterEach(async () => {
    await stack.remove();
  });

  const start = async (env: Record<string, string> = {}): Promise<Running> => {
    const running = stack.start(env);
    await stack.untilReady(running);
    return running;
  };
  const nothingIsLeft = (): Promise<void> => eventually(() => expect(stack.leftOver()).toEqual([]));
  const query = (url: string | undefined, sql: string): Promise<unknown[]> =>
    withClient(url!, 'test', async (client) => (await client.query(sql)).rows);
  const remember = () => query(stack.state().environment.DATABASE_URL, 'create table remembered ()');
  const expectRemembered = () =>
    expect(query(stack.state().environment.DATABASE_URL, 'select * from remembered')).resolves.toEqual([]);

  it('prints all addresses in one line, names each process and keeps its secrets private', async () => {
    await stack.remove();
    stack = await FakeStack.create();
    const running = await start();

    const lines = running.output().trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('Vitrine is ready'))).toEqual([
      `Vitrine is ready: site http://localhost:${stack.ports['SITE_PORT']} · ` +
        `API http://localhost:${stack.ports['API_PORT']}/api/v1 · ` +
        `upload http://localhost:${stack.ports['UPLOAD_PORT']}/api/v1/media · ` +
        `files http://localhost:${stack.ports['UPLOAD_PORT']} · data ${join(stack.root, '.data')}`,
    ]);
    expect(lines.filter((line) => /^[a-z-]+ +\| up as \d+$/.test(line))).toHaveLength(5);
    for (const file of ['secrets.json', 'running.json']) {
      expect(statSync(join(stack.root, '.data', file)).mode & 0o777).toBe(0o600);
    }
  });

  // Promise [security]: `npm start` keeps the settings of processes out of their environment.
  it('keeps the settings of each process out of its environment, which other processes can read', async () => {
    const running = await start({ REDIS_URL: 'redis://:canary-7d21@example.org' });
    for (const name of [
      'api-gateway',
      'upload-service',
      'media-processor',
      'moderation-service',
      'website',
    ]) {
      const visible = readFileSync(`/proc/${stack.pidOf(name, running)}/environ`, 'utf8').split('\0');
      const names = visible.map((line) => line.split('=')[0]);
      expect(names).toContain('VITRINE_SUPERVISOR_PID');
      expect(names.filter((word) => /_URL$|KEY|SECRET|PASSWORD|^PG/.test(word ?? ''))).toEqual([]);
    }
    expect((await stack.environmentOf('api-gateway'))['REDIS_URL']).toContain('canary-7d21');
  });

  it('lets the processes load their modules before their settings are known', async () => {
    const running = await start({ SMTP_URL: 'smtp://example.org', NO_COLOR: '1' });
    expect(running.output().match(/\| loaded$/gm)).toHaveLength(5);
    const variables = await stack.variablesAtLoad('api-gateway');
    expect(variables).toContain('NO_COLOR');
    expect(variables).not.toContain('DATABASE_URL');
    expect(variables).not.toContain('SMTP_URL');
    expect(Object.keys(await stack.environmentOf('api-gateway'))).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'SMTP_URL']),
    );
  });

  it('gives a process its settings again when it is restarted', async () => {
    const running = await start();
    const before = await stack.environmentOf('upload-service');
    const pid = stack.pidOf('upload-service', running);
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(stack.pidOf('upload-service', running)).not.toBe(pid));
    expect(await stack.environmentOf('upload-service')).toEqual(before);
  });

  it('lets all processes load their modules while the database does not answer, and stops them', async () => {
    const connections: Socket[] = [];
    const silent = createServer(
      (connection) => void connections.push(connection.on('error', () => undefined)),
    );
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    try {
      const running = stack.start({ DATABASE_URL: `postgresql://ada@127.0.0.1:${port}/vitrine` });
      await eventually(() => expect(running.output().match(/\| loaded$/gm)).toHaveLength(5));

      running.child.kill('SIGTERM');
      await eventually(() => expect(running.output()).toContain('Stopping'));
      for (const connection of connections) connection.destroy();

      expect(await running.exited).toBe(0);
      expect(stack.leftOver()).toEqual([]);
      expect(running.output()).not.toContain('| up as');
      expect(running.output()).not.toMatch(/^ +at /m);
    } finally {
      silent.close();
    }
  });

  it('ends cleanly if it is stopped while the database is created', async () => {
    await stack.remove();
    stack = await FakeStack.create();
    const running = stack.start();
    await eventually(() => expect(running.output()).toContain('| loaded'));

    running.child.kill('SIGTERM');

    expect(await running.exited).toBe(0);
    expect(stack.leftOver()).toEqual([]);
    expect(running.output()).not.toContain('| up as');
    expect(running.output()).not.toMatch(/^ +at /m);
  });

  it('says which ffmpeg processes videos, or that they are refused, and tells upload-service', async () => {
    const programs = mkdtempSync(join(stack.root, 'programs-'));
    for (const name of ['sh', 'id']) {
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(programs, name));
    }
    const bare = await start({ PATH: programs });
    expect(bare.output()).toMatch(/Videos are processed by FFmpeg \d+\.\d+ of node-av \d+\.\d+\.\d+/);
    expect((await stack.environmentOf('upload-service'))['VIDEO_TOOLS']).toBeUndefined();
    bare.child.kill('SIGTERM');
    await bare.exited;
    const refusing = await start({ PATH: programs, VIDEO_TOOLS: 'system' });
    expect(refusing.output()).toContain(
      'Videos are refused: no ffmpeg is installed. Install ffmpeg (Debian: apt install ffmpeg)',
    );
    expect((await stack.environmentOf('upload-service'))['VIDEO_TOOLS']).toBe('none');
  });

  // Promise [website]: Each process, also the website, gets only the credentials that it needs.
  it('gives each process the credentials that it needs and no others', async () => {
    await start({ REDIS_URL: 'redis://example.org', PGPASSWORD: 'operator' });

    const [api, upload, processor, moderation, site] = await Promise.all(
      ['api-gateway', 'upload-service', 'media-processor', 'moderation-service', 'website'].map((name) =>
        stack.environmentOf(name),
      ),
    );
    const application = expect.stringMatching(/^postgresql:\/\/vitrine:/);
    const key = api?.['SITE_SERVICE_KEY'];
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(api).toMatchObject({ DATABASE_URL: application, REDIS_URL: 'redis://example.org' });
    expect(upload).toMatchObject({ DATABASE_URL: application, SITE_SERVICE_KEY: key });
    expect(moderation).toMatchObject({ DATABASE_URL: application, MALLOC_ARENA_MAX: '2' });
    expect(processor).toMatchObject({
      BUS_URL: expect.stringContaining('vitrine_bus:'),
      MALLOC_ARENA_MAX: '2',
    });
    expect(site).toMatchObject({ SITE_SERVICE_KEY: key });
    expect(Object.keys({ ...processor })).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(DATABASE_URL|PGPASSWORD|SITE_SERVICE_KEY|REDIS_URL)$/),
      ]),
    );
    expect(Object.keys({ ...site })).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^(DATABASE_URL|PGPASSWORD|BUS_URL|STORAGE_URL|S3_SECRET_ACCESS_KEY|REDIS_URL)$/,
        ),
      ]),
    );
  });

  it('lets the role of the bus use the bus and nothing else', async () => {
    await start();
    const { BUS_URL: bus } = await stack.environmentOf('media-processor');

    await query(bus, "insert into bus.queues (name, routing_key) values ('probe', 'probe')");
    expect(await query(bus, "delete from bus.queues where name = 'probe' returning name")).toHaveLength(1);
    await expect(query(bus, 'select * from media')).rejects.toThrow(/does not exist|permission denied/);
    await expect(query(bus, 'select * from public.media')).rejects.toThrow('permission denied');
    await expect(query(bus, 'create table public.mine ()')).rejects.toThrow('permission denied');
    await expect(query(bus, 'create table bus.mine ()')).rejects.toThrow('permission denied');
    await expect(query(bus, 'create temporary table mine ()')).rejects.toThrow('permission denied');
    await expect(query(bus?.replace('/vitrine?', '/postgres?'), 'select 1')).rejects.toThrow(
      'permission denied',
    );
  });

  it('refuses a second start on the same data folder; the first keeps running', async () => {
    const first = await start();

    const second = stack.start();

    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(
      `npm start (process ${first.child.pid}) is running with the data folder`,
    );
    expect(second.output()).not.toMatch(/^ +at /m);
    expect((await fetch(stack.managementUrl('website'))).status).toBe(200);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops everything in order on %s', async (signal) => {
    const running = await start();

    running.child.kill(signal);

    expect(await running.exited).toBe(0);
    expect(stack.leftOver()).toEqual([]);
    expect(running.output().match(/\| drained$/gm)).toHaveLength(5);
  });

  it('stops everything when the shell between npm and itself is killed', async () => {
    const running = stack.start({ npm_lifecycle_event: 'start' }, { through: 'shell' });
    await stack.untilReady(running);

    running.child.kill('SIGKILL');

    await nothingIsLeft();
  });

  it('finds the data of the first start at the second start', async () => {
    const first = await start();
    await remember();
    const { SITE_SERVICE_KEY: key } = await stack.environmentOf('website');
    first.child.kill('SIGTERM');
    await first.exited;

    await start();

    await expectRemembered();
    expect(await stack.environmentOf('website')).toMatchObject({ SITE_SERVICE_KEY: key });
  });

  it('leaves nothing behind when it is killed, and can be started again at once', async () => {
    const first = await start();
    await remember();

    first.child.kill('SIGKILL');
    await first.exited;
    const second = await start();

    await expectRemembered();
    second.child.kill('SIGKILL');
    await nothingIsLeft();
  });

  it('starts again after all processes were killed at once', async () => {
    const first = await start();
    await remember();

    for (const line of stack.leftOver()) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await first.exited;
    await start();

    await expectRemembered();
  });

  it('restarts a process that died', async () => {
    const running = await start();
    const pid = stack.pidOf('upload-service', running);

    process.kill(pid, 'SIGKILL');

    await eventually(() => expect(stack.pidOf('upload-service', running)).not.toBe(pid));
    expect(running.output()).toContain('has ended (SIGKILL); starting it again in 0.5 s');
  });

  it('restarts a database that died, under the same address', async () => {
    await start();
    await remember();
    const pid = stack.postmasterPid();

    process.kill(pid, 'SIGKILL');

    await eventually(async () => {
      expect(stack.postmasterPid()).not.toBe(pid);
      await expectRemembered();
    });
  });

  it('replaces a guard that died', async () => {
    const running = await start();
    const { guardPid } = stack.state();
    const pid = stack.postmasterPid();

    process.kill(guardPid, 'SIGKILL');

    await eventually(async () => {
      expect(stack.state().guardPid).not.toBe(guardPid);
      expect(stack.postmasterPid()).not.toBe(pid);
      await query(stack.state().environment.DATABASE_URL, 'select 1');
    });
    running.child.kill('SIGKILL');
    await nothingIsLeft();
  });

  it('restarts the processes whose code has changed, with --watch', async () => {
    const running = stack.start({}, { watch: true });
    await stack.untilReady(running);
    const pids = () => ['api-gateway', 'website'].map((name) => stack.pidOf(name, running));
    const [api, site] = pids();

    // Node's recursive watch starts in the background: it may miss a change in its first moments.
    const rebuildUntil = async (project: string, noticed: () => void): Promise<void> => {
      for (let tries = 1; ; tries++) {
        stack.rebuild(project);
        const last = tries === 5;
        const seen = eventually(noticed, last ? PATIENCE_MS : 6_000).then(() => true);
        if (last ? await seen : await seen.catch(() => false)) return;
      }
    };
    await rebuildUntil('libs/shared', () => expect(pids()[0]).not.toBe(api));
    await rebuildUntil('apps/website', () => expect(pids()[1]).not.toBe(site));

    expect(running.output()).toContain('Changed: restarting api-gateway\n');
    expect(running.output()).toContain('Changed: restarting website\n');
  });

  it('names the port that is taken, and the setting that moves it', async () => {
    const server = createServer().listen(stack.ports['UPLOAD_PORT'], '127.0.0.1');

    const running = stack.start();

    expect(await running.exited).toBe(1);
    expect(running.output()).toContain(`Port ${stack.ports['UPLOAD_PORT']} (upload-service) is in use`);
    expect(running.output()).toContain('UPLOAD_PORT');
    expect(running.output()).not.toMatch(/^ +at /m);
    expect(running.output()).not.toContain('| up as');
    await new Promise((closed) => server.close(closed));
  });

  it('gives up if a process can not start, and names it', async () => {
    const running = stack.start({ FAKE_BOOT_FAILURE: 'media-processor' });

    expect(await running.exited).toBe(1);
    expect(running.output()).toContain('media-processor    | the fake can not start');
    expect(running.output()).toContain('media-processor does not start');
    expect(running.output()).not.toMatch(/^ +at /m);
    expect(stack.leftOver()).toEqual([]);
  });

  it('says which setting is malformed', async () => {
    const running = stack.start({ SITE_PORT: 'eighty' });

    expect(await running.exited).toBe(1);
    expect(running.output()).toContain('SITE_PORT must be a whole number');
    expect(running.output()).not.toMatch(/^ +at /m);
  });

  it('says why the operator’s own database can not be used, without its password', async () => {
    const running = stack.start({ DATABASE_URL: 'postgresql://ada:lovelace@127.0.0.1:1/vitrine' });

    expect(await running.exited).toBe(1);
    expect(running.output()).toContain("The database of DATABASE_URL can't be used: connect ECONNREFUSED");
    expect(running.output()).not.toContain('lovelace');
    expect(running.output()).not.toContain('has ended');
    expect(running.output()).not.toMatch(/^ +at /m);
    expect(stack.leftOver()).toEqual([]);
  });
});
