import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runMigrations, withClient } from '@vitrine/database';
import {
  debianProgram,
  describeUnless,
  eventually,
  freePort,
  startWebhookReceiver,
  type WebhookReceiver,
  whyFileMissing,
  whyMissing,
} from '@vitrine/testing';
import { readCompose } from './compose-file';
import { ROOT } from './docker-build';

// The programs that the profiles of docker/compose.yaml run in containers, here with Debian's PostgreSQL, Alertmanager and Caddy.

const execute = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
const whyNoPostgres = whyFileMissing(DEBIAN, 'postgresql');
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

describeUnless(whyNoPostgres, 'the profile backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-backup-'));
  const [backups, objects] = [join(folder, 'backups'), join(folder, 'objects')];
  const programs = join(DEBIAN, readdirSync(DEBIAN).sort().at(-1) ?? '', 'bin');
  const { environment } = readCompose().services['backup'] ?? {};
  let port: number;
  let server: ChildProcess;
  /** Of a file that the programs write, in KiB. */
  let largest = 'unlimited';

  const run = (script: string, ...words: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
    execute(
      'bash',
      ['-c', `ulimit -f ${largest}; exec bash "$0" "$@"`, join(ROOT, 'docker/backup', script), ...words],
      {
        env: {
          PATH: `${programs}:${process.env['PATH']}`,
          PGHOST: '127.0.0.1',
          PGPORT: String(port),
          PGUSER: String(environment?.['PGUSER']),
          BACKUPS: backups,
          OBJECTS: objects,
        },
      },
    );
  const url = (): string => `postgresql://postgres@127.0.0.1:${port}/vitrine`;
  const sql = (statement: string): Promise<Record<string, unknown>[]> =>
    withClient(
      url(),
      'profiles',
      async (client) => (await client.query(statement)).rows as Record<string, unknown>[],
    );
  const names = async (): Promise<unknown> =>
    (await sql('select name from tags order by name')).map(({ name }) => name);
  const store = (name: string, text: string): void => {
    mkdirSync(join(objects, 'vitrine/f'), { recursive: true });
    writeFileSync(join(objects, 'vitrine/f', name), text);
  };
  const dumps = (): string[] =>
    readdirSync(join(backups, 'database')).map((name) => name.replace('.dump', ''));

  beforeAll(async () => {
    port = await freePort();
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    execFileSync(
      join(programs, 'initdb'),
      ['--username=postgres', '--auth=trust', '--encoding=UTF8', data],
      NOBODY,
    );
    const options = ['-D', data, '-p', String(port), '-k', '', '-h', '127.0.0.1', '-c', 'fsync=off'];
    server = spawn(join(programs, 'postgres'), options, { ...NOBODY, stdio: 'ignore' });
    await eventually(() =>
      execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]),
    );
    execFileSync(join(programs, 'createdb'), `-h 127.0.0.1 -p ${port} -U postgres vitrine`.split(' '));
    await runMigrations(url());
  });
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGINT');
      await new Promise((resolve) => server.once('exit', resolve));
    }
    rmSync(folder, { recursive: true });
  });

  it('restores the database of a moment, and the files that were deleted since, and holds deletions', async () => {
    await sql(`insert into tags (name) values ('before')`);
    store('kept.png', 'kept');
    store('deleted.png', 'deleted');
    await run('backup.sh', 'once');
    const [first = ''] = dumps();

    await sql(`insert into tags (name) values ('after')`);
    rmSync(join(objects, 'vitrine/f/deleted.png'));
    store('new.png', 'new');
    await run('backup.sh', 'once');
    expect(readdirSync(join(backups, 'files/vitrine/f')).sort()).toEqual(['kept.png', 'new.png']);

    await run('restore.sh', first);

    expect(await names()).toEqual(['before']);
    expect(readdirSync(join(objects, 'vitrine/f')).sort()).toEqual(['deleted.png', 'kept.png', 'new.png']);
    expect(readFileSync(join(objects, 'vitrine/f/deleted.png'), 'utf8')).toBe('deleted');
    expect(await sql('select since from deletion_hold')).toHaveLength(1);
    expect(await sql(`select 1 from pg_database where datname like 'vitrine_before_%'`)).toHaveLength(1);
  });

  it('changes nothing if a dump is damaged, or while services use the database', async () => {
    writeFileSync(
      join(backups, 'database/damaged.dump'),
      readFileSync(join(backups, 'database', `${dumps()[0]}.dump`)).subarray(0, 20_000),
    );
    await expect(run('restore.sh', 'damaged')).rejects.toThrow();
    expect(await names()).toEqual(['before']);

    await withClient(url(), 'service', async () => {
      await expect(run('restore.sh', dumps()[0] ?? '')).rejects.toThrow('1 sessions use the database');
    });
    await expect(run('restore.sh')).rejects.toThrow(dumps()[0]);
    expect(await names()).toEqual(['before']);
  });

  it('copies a file whose copy was interrupted again, twice at the same time, and says if one can not be copied', async () => {
    store('late.png', 'whole');
    mkdirSync(join(backups, '.new/vitrine/f'), { recursive: true });
    writeFileSync(join(backups, '.new/vitrine/f/late.png'), 'wh');
    await Promise.all([run('backup.sh', 'once'), run('backup.sh', 'once')]);
    expect(readFileSync(join(backups, 'files/vitrine/f/late.png'), 'utf8')).toBe('whole');

    store('large.png', 'x'.repeat(4 * 1024 ** 2));
    largest = '2048';
    await expect(run('backup.sh', 'once')).rejects.toThrow('terminated by signal');
    expect(readdirSync(join(backups, 'files/vitrine/f'))).not.toContain('large.png');
  });
});

describeUnless(whyMissing('prometheus-alertmanager'), 'the profile alerts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-alerts-'));
  let receiver: WebhookReceiver;
  let running: ChildProcess | undefined;
  const configuration = join(folder, 'alertmanager.yml');
  const script = join(ROOT, 'docker/alertmanager/start.sh');
  const environment = (settings: object): NodeJS.ProcessEnv => ({
    PATH: `${folder}:${process.env['PATH']}`,
    CONFIGURATION: configuration,
    STORAGE: join(folder, 'data'),
    ...settings,
  });

  beforeAll(async () => {
    symlinkSync(debianProgram('prometheus-alertmanager'), join(folder, 'alertmanager'));
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    running?.kill('SIGKILL');
    await receiver.stop();
    rmSync(folder, { recursive: true });
  });

  it('sends an alert to the operator’s webhook', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    running = spawn('sh', ['-c', `set -- --web.listen-address=${address}; exec sh "$0" "$@"`, script], {
      env: environment({ ALERT_WEBHOOK_URL: `${receiver.url}/it's`, ADDRESS: address }),
      stdio: 'ignore',
    });
    const alerts = [{ labels: { alertname: 'VitrineTest' } }];
    await eventually(() =>
      fetch(`http://${address}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alerts),
      }),
    );
    await eventually(() => expect(receiver.received.map(({ body }) => body).join()).toContain('VitrineTest'));
  });

  it('takes the login of SMTP_URL apart', () => {
    const settings = {
      SMTP_URL: "smtp://ada%40example.org:p%3A'w@mail.example:587?pool=true",
      ALERT_EMAIL: 'ops@example.org',
    };
    const shell = `alertmanager() { :; }; exec() { "$@"; }; . "$0"`;
    execFileSync('bash', ['-c', shell, script], { env: environment(settings) });
    expect(readFileSync(configuration, 'utf8')).toContain("smarthost: 'mail.example:587'");
    expect(readFileSync(configuration, 'utf8')).toContain(
      ["auth_username: 'ada@example.org'", "        auth_password: 'p:''w'"].join('\n'),
    );
    execFileSync(debianProgram('amtool', 'prometheus-alertmanager'), ['check-config', configuration]);
  });

  it('refuses to start without a receiver', () => {
    expect(() => execFileSync('sh', [script], { env: environment({}), stdio: 'pipe' })).toThrow(
      'set ALERT_EMAIL',
    );
  });
});

const whyNoCaddy = process.getuid?.() === 0 ? whyMissing('caddy') : 'it takes root, for a network of its own';

describeUnless(whyNoCaddy, 'the profile tls', () => {
  it('serves each host by HTTPS with the operator’s certificate, and redirects HTTP', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-tls-'));
    const hosts = ['api', 'upload', 'files', 'www'].map((name) => `${name}.example.org`);
    const names = hosts.map((host) => `DNS:${host}`).join();
    const pair = `-subj /CN=test -keyout ${folder}/tls.key -out ${folder}/tls.crt -addext subjectAltName=${names}`;
    const key = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
    execFileSync('openssl', `${key} ${pair}`.split(' '), { stdio: 'ignore' });
    const upstream = `require('http').createServer((q, s) => s.end([process.argv[1], q.headers.host, q.headers['x-forwarded-for']].join())).listen(process.argv[1])`;
    const ask = (address: string): string =>
      `curl -sS --retry 50 --retry-connrefused --retry-delay 0 --cacert ${folder}/tls.crt --connect-to ::127.0.0.1 -H 'X-Forwarded-For: 6.6.6.6' -w ' %{http_code}\\n' ${address}`;
    const script = [
      'ip link set lo up',
      ...[3000, 8080, 3002].map((port) => `node -e "${upstream}" ${port} &`),
      `sh ${ROOT}/docker/caddy/start.sh &`,
      ...hosts.map((host) => ask(`https://${host}/`)),
      ask('http://www.example.org/a'),
      'kill $(jobs -p)',
    ];
    const output = execFileSync('unshare', ['--net', 'bash', '-c', script.join('\n')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        CERTIFICATES: folder,
        CADDYFILE: join(folder, 'Caddyfile'),
        PUBLIC_API_URL: `https://${hosts[0]}/api/v1`,
        PUBLIC_UPLOAD_URL: `https://${hosts[1]}/api/v1/media`,
        PUBLIC_CDN_URL: `https://${hosts[2]}`,
        PUBLIC_SITE_URL: `https://${hosts[3]}`,
        API_UPSTREAM: '127.0.0.1:3000',
        FILES_UPSTREAM: '127.0.0.1:8080',
        SITE_UPSTREAM: '127.0.0.1:3002',
      },
    });
    rmSync(folder, { recursive: true });
    expect(output.trim().split('\n')).toEqual([
      '3000,api.example.org,127.0.0.1 200',
      '8080,upload.example.org,127.0.0.1 200',
      '8080,files.example.org,127.0.0.1 200',
      '3002,www.example.org,127.0.0.1 200',
      ' 308',
    ]);
  });
});
