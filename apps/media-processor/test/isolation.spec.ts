import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithBubblewrap, eventually } from '@vitrine/testing';
import { failureReason } from '../src/failures/failures';
import { FILTERED_CALLS } from '../src/isolation/system-call-filter';

const ROOT = join(__dirname, '..', '..', '..');
const IS_ROOT = process.getuid?.() === 0;
/** A user without an account, for a service that does not run as root. */
const ORDINARY = 64_123;
const CANARY = 'canary-credential-5f1c';
const EPERM = '1';
const ENOSYS = '38';
const EOPNOTSUPP = '95';
const ERRORS: Readonly<Record<string, string>> = {
  ...{ clone3: ENOSYS, openat2: ENOSYS, x32: ENOSYS, later: ENOSYS },
  ...{ io_uring_setup: ENOSYS, io_uring_enter: ENOSYS, io_uring_register: ENOSYS },
  ...{ fallocate: EOPNOTSUPP, openat: EOPNOTSUPP, open: EOPNOTSUPP },
};
const HIJACKED = 'test/isolation/hijacked-worker.cjs';

interface Sight {
  readonly uid: number;
  readonly groups: readonly number[];
  readonly capabilities: string;
  readonly noNewPrivileges: string;
  readonly commands: readonly string[];
  readonly interfaces: readonly string[];
  readonly source: string;
  readonly reads: readonly string[];
  readonly lists: readonly string[];
  readonly writes: readonly string[];
  readonly connections: readonly string[];
  readonly mounts: string;
}

interface JobReport {
  readonly said?: string;
  readonly error?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly left?: readonly string[];
}

type JobOrder = { readonly slug: string; readonly key?: string; readonly source?: string } & Readonly<
  Record<string, unknown>
>;

/** Root can run both cases, another user only its own. */
const USERS = IS_ROOT ? (['root', 'an ordinary user'] as const) : (['an ordinary user'] as const);

describeWithBubblewrap('the isolation of workers', () => {
  let folder: string;
  let other: string;
  let tcp: Server;
  let unix: Server;
  let port: number;
  let videoFile: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-isolation-'));
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    writeFileSync(join(folder, 'data', 'secrets.json'), CANARY, { mode: 0o600 });
    mkdirSync(join(folder, 'another-job'), { mode: 0o700 });
    other = join(folder, 'another-job', 'original.png');
    writeFileSync(other, 'another picture', { mode: 0o600 });
    writeFileSync(join(folder, 'original.txt'), 'the original');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const shared = mkdtempSync(join(tmpdir(), 'vitrine-isolation-shared-'));
    chmodSync(shared, 0o755);
    videoFile = join(shared, 'video.mp4');
    const input = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.2:r=10', '-c:v', 'libx264'];
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...input, videoFile]);
    tcp = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const address = tcp.address();
    port = typeof address === 'object' && address ? address.port : 0;
    unix = createServer((socket) => socket.end()).listen(join(shared, 'socket'));
    await once(unix, 'listening');
    chmodSync(join(shared, 'socket'), 0o777);
  });
  afterAll(() => {
    tcp?.close();
    unix?.close();
    if (videoFile) rmSync(join(videoFile, '..'), { recursive: true, force: true });
  });

  /**
   * Starts the parent as the given user. For an ordinary user, the checkout is mounted where everyone can reach it.
   */
  function startParent(
    user: string,
    way: readonly string[],
    entry: string,
    jobs: readonly JobOrder[],
  ): ChildProcess {
    const orders = jobs.map((job) =>
      JSON.stringify({ key: '', source: join(folder, 'original.txt'), ...job }),
    );
    const args = [...way, folder, entry, ...orders];
    const script = 'apps/media-processor/test/isolation/parent.cjs';
    const options = {
      cwd: '/',
      env: {
        ...{ PATH: process.env['PATH'], TMPDIR: tmpdir(), CREDENTIAL: CANARY },
        VIDEO_TOOLS: process.env['VIDEO_TOOLS'],
      },
      stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'],
    };
    if (user === 'root' || !IS_ROOT) return spawn(process.execPath, [join(ROOT, script), ...args], options);
    for (const path of [
      '',
      'data',
      'data/secrets.json',
      'another-job',
      'another-job/original.png',
      'original.txt',
    ])
      chownSync(join(folder, path), ORDINARY, ORDINARY);
    const place = mkdtempSync(join(tmpdir(), 'vitrine-checkout-'));
    chmodSync(place, 0o755);
    const become = ['setpriv', `--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, '--clear-groups'];
    const withoutCapabilities = [
      '--inh-caps=-all',
      '--bounding-set=-all',
      '--',
      process.execPath,
      join(place, script),
    ];
    const enter = 'mount --bind "$0" "$1" && shift && exec "$@"';
    const child = spawn(
      'unshare',
      [
        '--mount',
        '--propagation=private',
        'sh',
        '-c',
        enter,
        ROOT,
        place,
        ...become,
        ...withoutCapabilities,
        ...args,
      ],
      options,
    );
    child.once('exit', () => rmSync(place, { recursive: true, force: true }));
    return child;
  }

  async function run(
    user: string,
    way: readonly string[],
    entry: string,
    ...jobs: JobOrder[]
  ): Promise<readonly JobReport[]> {
    const child = startParent(user, way, entry, jobs);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    await once(child, 'close');
    return output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JobReport);
  }

  const lookingAround = (): JobOrder => ({
    slug: 'look',
    key: JSON.stringify({
      reads: ['/proc/PARENT/environ', join(folder, 'data', 'secrets.json'), other],
      writes: [join(folder, 'x'), '/x', '/tmp/x', '/dev/x', '/dev/shm/x', join(ROOT, 'x')],
      addresses: [{ port, host: '127.0.0.1' }, { path: join(videoFile, '..', 'socket') }],
    }),
  });
  const seen = (outcome: JobReport | undefined): Sight =>
    JSON.parse(outcome?.said ?? outcome?.error ?? '') as Sight;
  /** The arguments of a process; empty if it has ended, even if it is still a zombie. */
  const commandLine = (pid: number): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  const isRunning = (pid: number): boolean => commandLine(pid) !== '';
  const processesWith = (argument: string): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => commandLine(pid).split('\0').includes(argument));
  /** The children of a process and their descendants. */
  const descendantsOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
      .flatMap((child) => [child, ...descendantsOf(child)]);

  /** System calls with arguments, as texts: every one of the filter, and some whose arguments decide. */
  const calls = (): Readonly<Record<string, string>> => {
    const at = process.arch === 'arm64' ? 1 : 0;
    const { clone, openat, open, socketpair, ...others } = FILTERED_CALLS;
    const [CLONE_NEWUSER, O_TMPFILE, AF_INET, CLOSE] = [0x1000_0000, 0x41_0000, 2, at === 1 ? 57 : 3];
    return {
      ...Object.fromEntries(
        Object.entries(others).flatMap(([name, numbers]) =>
          numbers[at] === null ? [] : [[name, `${numbers[at]},0,0,0,0,0`]],
        ),
      ),
      clone: `${clone?.[at]},${CLONE_NEWUSER},0,0,0,0`,
      openat: `${openat?.[at]},-100,0,${O_TMPFILE},0`,
      ...(at === 0 ? { open: `${open?.[at]},0,${O_TMPFILE}` } : {}),
      socketpair: `${socketpair?.[at]},${AF_INET},1,0,0`,
      x32: at === 0 ? `${0x4000_0000 + 39}` : '9999',
      later: '457,0,0,0,0',
      plain: `${CLOSE},0`,
    };
  };

  describe.each([
    ['bubblewrap', 'sandbox'],
    ['util-linux', 'namespaces'],
  ])('by %s', (...way) => {
    const isFiltered = way.includes('sandbox');

    it('a worker makes the variants of a video', async () => {
      const video = {
        kind: 'video',
        format: 'mp4',
        mime: 'video/mp4',
        ext: 'mp4',
        bytes: 5000,
        duration: 0.2,
      };
      const [made] = await run('an ordinary user', way, 'dist/worker/main.js', {
        slug: 'abc1234',
        source: videoFile,
        ...video,
      });
      expect(made?.error).toBeUndefined();
      expect(Object.keys(made?.files ?? {})).toContain('thumb.jpg');
    });

    describe.each(USERS)('of %s', (user) => {
      // Promise [security]: A hijacked decoder in a sandbox has no privileges, no network, no other process
      // and no other file.
      it('a hijacked worker has no privileges, no network, no other process and no other file', async () => {
        const [looked, ended] = await run(user, way, HIJACKED, lookingAround());
        const sight = seen(looked);
        expect(sight).toMatchObject({
          uid: 65_533,
          capabilities: '[none]',
          noNewPrivileges: '1',
          source: 'the original',
        });
        expect(sight.groups).not.toContain(0);
        const commands = ['sh', 'node', 'unshare', 'setpriv'];
        expect(sight.commands.filter((name) => isFiltered || !commands.includes(name))).toEqual([]);
        expect(sight.interfaces.filter((name) => name !== 'lo')).toEqual([]);
        expect(sight.reads).toEqual(['ENOENT', 'ENOENT', 'ENOENT']);
        expect(sight.lists).toEqual(['ENOENT', 'ENOENT', 'ENOENT']);
        expect(new Set(sight.writes)).not.toContain('done');
        expect(sight.connections).not.toContain('done');
        expect(sight.mounts).not.toBe('done');
        expect(looked?.files).toEqual({ 'made.txt': 'made' });
        expect(ended?.left).toEqual([]);
      });

      if (isFiltered)
        // Promise [security]: A hijacked decoder in the sandbox can make no namespace, socket or dangerous system call.
        it('a hijacked worker can make no filtered system call', async () => {
          const [called] = await run(user, way, HIJACKED, { slug: 'call', key: JSON.stringify(calls()) });
          const { plain, ...errors } = JSON.parse(called?.said ?? called?.error ?? '') as Record<
            string,
            string
          >;
          expect(plain).toBe('0');
          expect(errors).toEqual(
            Object.fromEntries(Object.keys(errors).map((name) => [name, ERRORS[name] ?? EPERM])),
          );
          expect(Object.keys(errors).length).toBeGreaterThan(60);
        });

      if (isFiltered)
        // Promise [security]: A hijacked decoder in the sandbox can neither fill the disk nor start processes without end.
        it('a hijacked worker that writes without end is ended', async () => {
          const [filled, ended] = await run(user, way, HIJACKED, { slug: 'fill' });
          expect(filled?.error).toBe(failureReason.space);
          expect(ended?.left).toEqual([]);
        });

      if (isFiltered && user !== 'root')
        it('processes are limited', async () => {
          const [forked, ended] = await run(user, way, HIJACKED, { slug: 'fork' });
          const started = Number(forked?.said);
          expect(started).toBeGreaterThan(50);
          expect(started).toBeLessThan(128 + 16 * availableParallelism());
          expect(ended?.left).toEqual([]);
        });

      it('only regular files leave the folder, and a job that uses too much memory is ended', async () => {
        const outcomes = await run(
          user,
          way,
          HIJACKED,
          ...['link', 'pipe', 'folder', 'sparse', 'look', 'hoard', 'hoard-elsewhere'].map((slug) => ({
            ...lookingAround(),
            slug,
          })),
        );
        expect(outcomes).toMatchObject([
          { error: failureReason.crash, files: {} },
          { error: failureReason.crash, files: {} },
          { files: {} },
          { error: failureReason.crash, files: {} },
          { files: { 'made.txt': 'made' } },
          { error: failureReason.memory },
          { error: failureReason.memory },
          { left: [] },
        ]);
      });

      it('whatever a hijacked worker sends or closes never ends its parent', async () => {
        const slugs = ['garbage', 'protocol', 'flood', 'closed', 'look'];
        const outcomes = await run(
          user,
          way,
          HIJACKED,
          ...slugs.map((slug) => ({ ...lookingAround(), slug })),
        );
        expect(outcomes).toMatchObject([
          { error: failureReason.crash },
          { said: '' },
          { error: failureReason.crash },
          user === 'root' ? { said: '' } : { error: failureReason.space },
          { files: { 'made.txt': 'made' } },
          { left: [] },
        ]);
      });

      // Without the filter, a worker can hide what it writes.
      it.each([...(isFiltered ? ['fill-later'] : []), 'hoard-later'])(
        'a hijacked worker that goes on after its reply is ended: %s',
        async (slug) => {
          expect(await run(user, way, HIJACKED, { slug })).toMatchObject([{ said: '' }, { left: [] }]);
        },
      );

      it('no process of the worker outlives a killed parent', async () => {
        const mark = `600.${Math.floor(Math.random() * 1e9)}`;
        const parent = startParent(user, way, HIJACKED, [{ slug: 'spin', key: mark }]);
        await eventually(() => expect(processesWith(mark).length).toBeGreaterThan(0));
        const worker = descendantsOf(parent.pid!);
        expect(worker).toEqual(expect.arrayContaining(processesWith(mark)));
        parent.kill('SIGKILL');
        await eventually(() => expect(worker.filter(isRunning)).toEqual([]));
      });
    });
  });

  (IS_ROOT ? describe : describe.skip)('as another user, where there are no namespaces', () => {
    // Promise [security]: Without namespaces, a hijacked decoder of root has no privileges and no credential.
    it('a hijacked worker of root has no privileges, no credential and none of its files', async () => {
      const [looked] = await run('root', ['setpriv', 'user'], HIJACKED, lookingAround());
      const sight = seen(looked);
      expect(sight).toMatchObject({ uid: 65_533, capabilities: '[none]', noNewPrivileges: '1' });
      expect(sight.reads).toEqual(['EACCES', 'EACCES', 'EACCES']);
      expect(sight.writes[1]).toBe('EACCES');
      expect(looked?.files).toEqual({ 'made.txt': 'made' });
    });
  });
});
