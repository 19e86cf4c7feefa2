import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { debianProgram, describeUnless, whyMissing } from '@vitrine/testing';

const ROOT = join(__dirname, '..', '..', '..');
const USER = 10_001;
/** Where Amazon EKS puts a credential for the roles of the object storage. */
const TOKEN = '/var/run/secrets/eks.amazonaws.com/serviceaccount/token';

interface Profile {
  readonly syscalls: readonly { readonly names: readonly string[] }[];
}

const missing =
  process.getuid?.() === 0 ? whyMissing('runc') : 'only root can run a container without a daemon';

/** The container of Kubernetes and Compose: no capabilities, no new privileges, and what container runtimes hide of /proc. */
describeUnless(missing ?? whyMissing('bwrap', 'bubblewrap'), 'the sandbox in a container', () => {
  let bundle: string;
  const shipped = JSON.parse(
    readFileSync(join(ROOT, 'docker/sandbox/media-processor.json'), 'utf8'),
  ) as Profile;
  const without = (name: string): Profile => ({
    ...shipped,
    syscalls: shipped.syscalls.map((rule) => ({ ...rule, names: rule.names.filter((one) => one !== name) })),
  });

  beforeEach(() => {
    bundle = mkdtempSync(join(tmpdir(), 'vitrine-container-'));
    chmodSync(bundle, 0o755);
    for (const folder of ['rootfs', 'rootfs/etc', 'rootfs/usr']) mkdirSync(join(bundle, folder));
    for (const name of ['bin', 'lib', 'lib64', 'sbin'])
      symlinkSync(readlinkSync(`/${name}`), join(bundle, 'rootfs', name));
    mkdirSync(join(bundle, 'scratch'));
    chownSync(join(bundle, 'scratch'), USER, USER);
    const token = join(bundle, 'token');
    writeFileSync(token, 'canary', { mode: 0o640 });
    chownSync(token, USER, USER);
  });
  afterEach(() => rmSync(bundle, { recursive: true, force: true }));

  /** What a program of Node.js prints in a container with this profile. */
  function runWith(seccomp: object, ...command: readonly string[]): string {
    const bind = (source: string, destination = source, mode = 'ro'): object => ({
      ...{ source, destination, type: 'bind', options: ['rbind', mode] },
    });
    const mount = (type: string, destination: string, ...options: readonly string[]): object => ({
      ...{ source: type, destination, type, options: ['nosuid', 'noexec', ...options] },
    });
    const node = realpathSync(process.execPath);
    const config = {
      ociVersion: '1.0.2',
      process: {
        user: { uid: USER, gid: USER },
        args: [node, ...command],
        env: [`PATH=${process.env['PATH']}`, 'MEDIA_ISOLATION=required'],
        cwd: '/',
        noNewPrivileges: true,
        capabilities: {},
      },
      root: { path: 'rootfs', readonly: true },
      mounts: [
        mount('proc', '/proc', 'nodev'),
        mount('tmpfs', '/dev', 'strictatime', 'mode=755'),
        // Before the workspace, which may be below it.
        bind(join(bundle, 'scratch'), '/tmp', 'rw'),
        ...[bind('/usr'), bind('/etc/alternatives'), bind(ROOT), bind(dirname(node))],
        bind(join(bundle, 'token'), TOKEN),
      ],
      linux: {
        namespaces: ['pid', 'ipc', 'uts', 'mount', 'network'].map((type) => ({ type })),
        maskedPaths: ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware'],
        readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
        seccomp,
      },
    };
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(config));
    const options = ['--root', join(bundle, 'state'), 'run', '--bundle', bundle];
    return execFileSync(debianProgram('runc'), [...options, `vitrine-${process.pid}`], { encoding: 'utf8' });
  }
  const levelWith = (seccomp: object): string => {
    const report = runWith(seccomp, join(ROOT, 'apps/media-processor/dist/isolation/main.js'));
    return (JSON.parse(report) as { level: string }).level;
  };

  // Promise [security]: The sandbox works in a container without capabilities that has the shipped seccomp profile.
  it('works with the shipped profile', () => expect(levelWith(shipped)).toBe('sandbox'));

  // The default profiles of Docker and containerd refuse these, and `clone` with flags of namespaces.
  it.each(['mount', 'umount2', 'pivot_root'])('needs %s, which the shipped profile allows', (name) =>
    expect(levelWith(without(name))).not.toBe('sandbox'),
  );

  // Promise [security]: A hijacked decoder in the sandbox can't read the container's credential files.
  it('hides the credential file of the container', () => {
    const script = `process.stdout.write(require('node:fs').readFileSync('${TOKEN}', 'utf8'))`;
    expect(runWith(shipped, '-e', script)).toBe('canary');

    const key = JSON.stringify({ reads: [TOKEN, '/proc/1/environ'], writes: [], addresses: [] });
    const job = JSON.stringify({ slug: 'look', key, source: join(ROOT, 'package.json') });
    const parent = join(ROOT, 'apps/media-processor/test/isolation/parent.cjs');
    const hijacked = 'test/isolation/hijacked-worker.cjs';
    const [looked = ''] = runWith(shipped, parent, 'bubblewrap', 'sandbox', '/tmp', hijacked, job).split(
      '\n',
    );
    const { said } = JSON.parse(looked) as { said: string };
    expect(JSON.parse(said)).toMatchObject({ reads: ['ENOENT', 'ENOENT'] });
  });
});
