import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '@vitrine/testing';
import { Ajv } from 'ajv';
import { COMPOSE_TEXT, type ComposeService, interpolate, readCompose } from './compose-file';
import { STORAGE_SERVICES } from '../../admin/src/commands/storage-policy';
import { composeSchema } from './compose-schema';
import { DockerBuild, ROOT, SERVICES } from './docker-build';

const compose = readCompose();
const build = new DockerBuild();
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image.startsWith('vitrine/'));
const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (!found) throw new Error(`There is no service ${name}`);
  return found;
};

/** An example of docker/.env. */
const SECRETS = new Proxy<Record<string, string>>({}, { get: (_, name) => `secret-of-${String(name)}` });
const OTHER_SECRETS = new Proxy<Record<string, string>>({}, { get: (_, name) => `new-${String(name)}` });

/** Settings that hold a credential, and the services that may have them: the column "Reaches" of docs/architecture.md. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: ['migrate', 'admin', 'api-gateway', 'upload-service', 'moderation-service'],
  BUS_URL: ['admin', 'declare-queues', 'upload-service', 'media-processor', 'moderation-service'],
  STORAGE_URL: ['admin', 'grant-storage', 'upload-service', 'media-processor', 'moderation-service'],
  S3_SECRET_ACCESS_KEY: ['admin', 'grant-storage', 'upload-service', 'media-processor', 'moderation-service'],
  REDIS_URL: ['admin', 'api-gateway', 'upload-service'],
  SITE_SERVICE_KEY: ['admin', 'api-gateway', 'upload-service', 'website'],
  ACCOUNT_SECRETS_KEY: ['api-gateway'],
  SMTP_URL: ['api-gateway', 'alertmanager'],
  OIDC_PROVIDERS: ['api-gateway'],
};

/** Settings that mean nothing in Compose, or need more than a value. */
const NOT_IN_COMPOSE = [
  ...'API_PORT UPLOAD_PORT SITE_PORT MANAGEMENT_HOST MANAGEMENT_PORT VITRINE_DATA_DIR LOG_FORMAT'.split(' '),
  ...'FFMPEG_PATH VIDEO_TOOLS BREACHED_PASSWORDS_FILE STOP_GRACE_SECONDS DATABASE_LISTEN_URL'.split(' '),
  ...'DATABASE_REPLICA_URLS DATABASE_REPLICA_MAX_LAG_SECONDS OTEL_EXPORTER_OTLP_HEADERS'.split(' '),
];

/** What services may do as root without its other rights: change owners, copy files of others, listen below port 1024. */
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  bucket: ['CHOWN', 'FOWNER'],
  backup: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
  restore: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
  caddy: ['NET_BIND_SERVICE'],
};

/** The network of each engine, and the services in it. */
const REACH: Readonly<Record<string, readonly string[]>> = {
  database: ['postgres', 'backup', 'restore', ...(CREDENTIALS['DATABASE_URL'] ?? [])],
  bus: ['rabbitmq', 'prometheus', ...(CREDENTIALS['BUS_URL'] ?? [])],
  // nginx sends files that upload-service has signed a read of.
  storage: ['s3', 'nginx', ...(CREDENTIALS['STORAGE_URL'] ?? [])],
  limits: ['redis', ...(CREDENTIALS['REDIS_URL'] ?? [])],
  site: ['admin', 'api-gateway', 'upload-service', 'nginx', 'website', 'prometheus', 'caddy'],
  monitoring: ['prometheus', 'grafana', 'alertmanager'],
};

describe('docker/compose.yaml', () => {
  it('has a form that Compose accepts', () => {
    const check = new Ajv({ allErrors: true }).compile(composeSchema);
    check(compose);
    expect(check.errors ?? []).toEqual([]);
  });

  it('finds a field that Compose does not know', () => {
    const check = new Ajv().compile(composeSchema);
    const [name, { ...one }] = services[0] ?? ['', {}];
    expect(check({ ...compose, services: { [name]: { ...one, read_onyl: true } } })).toBe(false);
  });

  it.each(services)('%s has no rights that it does not need', (name, each) => {
    expect(each).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: expect.arrayContaining(['no-new-privileges:true']),
    });
    expect([each.mem_limit, each.cpus, each.pids_limit].filter((limit) => limit === undefined)).toEqual([]);
    expect(each.cap_add ?? []).toEqual(CAPABILITIES[name] ?? []);
    if (!(name in CAPABILITIES) && !each.image.startsWith('vitrine/'))
      expect(each.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    if (name === 'bucket') expect(each.network_mode).toBe('none');
  });

  it.each(services)('%s has a full version', (_, { image }) => {
    expect(interpolate(image, {})).toMatch(/^[a-z/-]+:v?\d+\.\d+(?:\.\d+)?(?:-[a-z]+)?$/);
  });

  it.each(services.filter(([, { restart, profiles }]) => restart !== 'no' && !profiles))(
    '%s has a health check, and dependent services wait for it',
    (_, each) => {
      expect(each.healthcheck?.test[0]).toMatch(/^CMD/);
      for (const [other, { condition }] of Object.entries(each.depends_on ?? {})) {
        const once = service(other).restart === 'no';
        expect([other, condition]).toEqual([
          other,
          once ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    },
  );

  // Promise [security]: In Compose each credential goes only to the services that need it.
  it('gives each credential only to the services that need it', () => {
    for (const [setting, holders] of Object.entries(CREDENTIALS)) {
      const given = services.filter(([, { environment }]) => environment && setting in environment);
      expect([setting, given.map(([name]) => name).sort()]).toEqual([setting, [...holders].sort()]);
    }
    // Under other names too, a secret's value reaches only the services above and the engine that checks it.
    for (const [name, { environment = {} }] of ours) {
      const secrets = JSON.stringify(environment).match(/\$\{(\w+):\?/g) ?? [];
      const expected = Object.keys(CREDENTIALS).filter((setting) => CREDENTIALS[setting]?.includes(name));
      expect([name, secrets.length > 0]).toEqual([name, expected.length > 0]);
    }
  });

  it('gives each service its own account at the S3 store, and starts it after its rights are set', () => {
    const { accessAccounts } = JSON.parse(
      interpolate(String(service('bucket').environment?.['ACCOUNTS']), SECRETS),
    ) as { accessAccounts: Record<string, object> };
    expect(Object.keys(accessAccounts)).toEqual([...STORAGE_SERVICES]);
    for (const name of STORAGE_SERVICES) {
      const { environment = {}, depends_on } = service(name);
      const [access, secret] = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map((setting) =>
        interpolate(String(environment[setting]), SECRETS),
      );
      // The gateway has a role that may do only what its policy allows.
      expect(accessAccounts[name]).toEqual({ access, secret, role: 'user', userID: 0, groupID: 0 });
      expect(access).toBe(name);
      expect(depends_on?.['grant-storage']?.condition).toBe('service_completed_successfully');
    }
    const owners = ours.filter(([, { environment = {} }]) =>
      JSON.stringify(environment).includes('${S3_SECRET_ACCESS_KEY:'),
    );
    expect(owners.map(([name]) => name)).toEqual(['grant-storage', 'admin']);
    const secrets = [...COMPOSE_TEXT.matchAll(/\$\{(S3_\w+):\?([^}]*)\}/g)];
    for (const [, name = '', advice] of secrets.filter(([, each]) => each?.endsWith('_SECRET_ACCESS_KEY'))) {
      // The settings that an installation of an earlier release doesn't have.
      if (name !== 'S3_SECRET_ACCESS_KEY') expect(advice).toContain('"Update" in docs/guides/compose.md');
    }
  });

  it('has networks that allow the same', () => {
    for (const [network, members] of Object.entries(REACH)) {
      const inside = services.filter(([, { networks }]) => networks?.includes(network)).map(([name]) => name);
      expect([network, inside.sort()]).toEqual([network, [...members].sort()]);
    }
    expect(Object.keys(compose.networks).sort()).toEqual(Object.keys(REACH).sort());
    for (const engine of ['database', 'bus', 'storage', 'limits']) {
      expect([engine, compose.networks[engine]?.internal]).toEqual([engine, true]);
    }
  });

  it('publishes ports only on this machine, except those of the profile tls', () => {
    const ports = services.flatMap(([name, each]) => (each.ports ?? []).map((port) => [name, port] as const));
    const open = ports.filter(([, port]) => !interpolate(port, {}).startsWith('127.0.0.1:'));
    expect(open.map(([name, port]) => [name, interpolate(port, {})])).toEqual([
      ['caddy', '0.0.0.0:80:80'],
      ['caddy', '0.0.0.0:443:443'],
      ['caddy', '0.0.0.0:443:443/udp'],
    ]);
    for (const name of ['api-gateway', 'website'] as const) {
      const inside = service(name).ports?.[0]?.split(':').at(-1);
      expect(build.history(name).some((each) => each.toString() === `EXPOSE ${inside}`)).toBe(true);
    }
  });

  it('builds every image from its own target', () => {
    const targets = ours.flatMap(([, each]) =>
      each.build ? [[each.image, each.build.target] as const] : [],
    );
    expect([...new Set(targets.map(([, target]) => target))].sort()).toEqual([...SERVICES, 'admin'].sort());
    for (const [image, target] of targets) expect(image).toMatch(new RegExp(`^vitrine/${target}:`));
  });

  it('passes on every setting of docker/.env, except those that it sets itself', () => {
    const all = [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)];
    const given = new Set([...COMPOSE_TEXT.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const set = new Set(ours.flatMap(([, { environment = {} }]) => Object.keys(environment)));
    const missing = all.map(([, name = '']) => name).filter((name) => !given.has(name) && !set.has(name));
    expect(missing.sort()).toEqual([...NOT_IN_COMPOSE].sort());
  });

  it('starts nothing of ours before docker/.env is checked', () => {
    const before = (name: string): string[] =>
      Object.keys(service(name).depends_on ?? {}).flatMap((other) => [other, ...before(other)]);
    for (const [name] of ours.filter(([, { profiles }]) => !profiles))
      expect([name, name === 'check-settings' || before(name).includes('check-settings')]).toEqual([
        name,
        true,
      ]);
  });

  it.each([
    [
      'every setting that Compose uses',
      { REGISTRATION: 'closed', LOCAL_PORT: '1', HTTPS_PROXY: 'a', no_proxy: 'b' },
      0,
      '',
    ],
    ['no setting with a typing error', { REGISTRATION: 'closed', REGISTRATON: 'closed' }, 1, 'REGISTRATON'],
    ['no setting that Compose sets itself', { DATABASE_URL: 'postgresql://a' }, 1, 'DATABASE_URL'],
  ])('accepts %s', (_, settings, status, named) => {
    const files = ['check-settings.mjs', 'compose.yaml'].map((name) => join(ROOT, 'docker', name));
    const env = { PATH: process.env['PATH'], ...settings };
    const run = spawnSync(process.execPath, files, { env, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([status, expect.stringContaining(named)]);
    expect(run.stderr).not.toContain('closed');
  });

  it('sets settings that exist', () => {
    const settings = [
      ...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm),
    ];
    const known = new Set(settings.map(([, name]) => name));
    for (const [name, { environment = {} }] of ours) {
      expect([name, Object.keys(environment).filter((setting) => !known.has(setting))]).toEqual([name, []]);
    }
  });

  it('gives each service the time that it needs to stop', () => {
    for (const [name, each] of ours.filter(([, { restart }]) => restart !== 'no')) {
      const grace = Number(/^(\d+)s$/.exec(each.stop_grace_period ?? '')?.[1]);
      expect([name, grace > Number(each.environment?.['STOP_TIMEOUT_SECONDS'] ?? 25)]).toEqual([name, true]);
    }
  });

  it('keeps temporary files on a disk in containers with many of them', () => {
    for (const name of ['upload-service', 'media-processor', 'moderation-service']) {
      expect(service(name).volumes?.filter((volume) => volume.endsWith(':/var/lib/vitrine'))).toHaveLength(1);
    }
    const used = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => interpolate(volume, {}).split(':')[0] ?? ''),
    );
    const named = used.filter((volume) => !volume.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
    // Each volume has one writer, except that of the S3 store, which steps prepare and restore. nginx-metrics only measures its volume.
    const shared = named.filter((volume, index) => named.indexOf(volume) !== index);
    expect(shared).toEqual(['nginx-cache', 'objects', 'accounts', 'objects', 'objects', 'backups']);
  });
});

const isRoot = process.getuid?.() === 0;
const hasSetpriv = spawnSync('setpriv', ['--bounding-set=-all,+chown,+fowner', 'true']).status === 0;
const cannotGiveUp = isRoot && hasSetpriv ? null : 'it takes root, to give up its capabilities with setpriv';

describeUnless(cannotGiveUp, 'the step that makes the bucket and its accounts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-objects-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['a fresh volume', 'fresh', '0:0', '0755'],
    ['a volume that the gateway already owns', 'old', '10001:10001', '0750'],
  ])('works on %s, and again at each `up`', (_, name, owner, mode) => {
    const [objects, accounts] = ['objects', 'accounts'].map((volume) => join(folder, name, volume));
    const users = join(accounts ?? '', 'users.json');
    for (const volume of [objects ?? '', accounts ?? '']) {
      mkdirSync(volume, { recursive: true });
      execFileSync('chown', [owner, volume]);
      execFileSync('chmod', [mode, volume]);
    }
    const { cap_add = [], command: [command = ''] = [], environment } = service('bucket');
    const bounds = ['-all', ...cap_add.map((capability) => `+${capability.toLowerCase()}`)].join();
    const script = interpolate(command, {})
      .replaceAll('/objects', objects ?? '')
      .replaceAll('/accounts', accounts ?? '');
    const run = (secrets: Readonly<Record<string, string>>): string => {
      const text = interpolate(String(environment?.['ACCOUNTS']), secrets);
      const { status, stderr } = spawnSync('setpriv', [`--bounding-set=${bounds}`, 'sh', '-ec', script], {
        env: { ...process.env, ACCOUNTS: text },
      });
      expect([status, String(stderr)]).toEqual([0, '']);
      return text;
    };

    for (const secrets of [SECRETS, SECRETS, OTHER_SECRETS]) {
      const written = run(secrets);
      expect(readFileSync(users, 'utf8')).toBe(written);
    }
    for (const path of [objects, accounts, join(objects ?? '', 'vitrine'), users]) {
      expect(statSync(path ?? '').uid).toBe(10001);
    }
    for (const path of [objects, accounts]) expect(statSync(path ?? '').mode & 0o7007).toBe(0);
    expect(statSync(users).mode & 0o777).toBe(0o600);
  });
});

describe('docker/make-env.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-env-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, '.env');
  const make = (...words: string[]) =>
    execFileSync('sh', [join(ROOT, 'docker/make-env.sh'), ...words, file], { stdio: 'pipe' });
  const read = () =>
    Object.fromEntries([...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, k, v]) => [k, v]));

  it('generates the secrets that Compose needs, readable only by their owner', () => {
    make();
    const variables = read();

    const asked = [...COMPOSE_TEXT.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '');
    expect(new Set(asked).size).toBeGreaterThan(5);
    expect(() => interpolate(COMPOSE_TEXT, {})).toThrow('Run docker/make-env.sh first');
    expect(() => interpolate(COMPOSE_TEXT, variables)).not.toThrow();
    expect(Object.keys(variables).filter((name) => !asked.includes(name))).toEqual([]);
    const secrets = Object.entries(variables).filter(([name]) => name !== 'S3_ACCESS_KEY_ID');
    for (const [, secret] of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(secrets.map(([, secret]) => secret)).size).toBe(secrets.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('does not overwrite secrets of existing data', () => {
    const before = read();

    expect(make).toThrow('is there already');
    expect(read()).toEqual(before);
  });

  it('makes a public site of a domain', () => {
    rmSync(file);
    make('--domain', 'photos.example');

    expect(read()).toMatchObject({
      COMPOSE_PROFILES: 'tls,backup',
      PUBLIC_API_URL: 'https://api.photos.example/api/v1',
      PUBLIC_SITE_URL: 'https://www.photos.example',
    });
    for (const name of Object.keys(read()).filter((each) => !each.startsWith('COMPOSE_')))
      expect([name, COMPOSE_TEXT.includes(`\${${name}`)]).toEqual([name, true]);
  });
});
