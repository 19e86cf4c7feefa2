import { type ChildProcess, spawn } from 'node:child_process';
import { release, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Duplex, Writable } from 'node:stream';
import { findOnPath } from '../tools/on-path';
import { shownPaths } from './shown-paths';
import { systemCallFilter } from './system-call-filter';
import { WorkerChannel } from './worker-channel';
import { WorkerFolder, type SystemUser } from './worker-folder';

/**
 * How workers are isolated, in addition to their own process group and limits:
 *
 * - `sandbox`: another user, or this user without its rights; no capabilities, no network, no access to other processes,
 *   a file system with only programs and one folder to write to, and a filter of system calls;
 * - `namespaces`: the same without the filter;
 * - `user`: another user without capabilities, who can reach the network and see the processes and the file system;
 * - `none`: the same user, who can gain no privileges where the system supports `no_new_privs`.
 */
export type IsolationLevel = 'sandbox' | 'namespaces' | 'user' | 'none';

/** One way to start workers. */
export interface Isolation {
  readonly level: IsolationLevel;
  /** The name of the program that does it, for messages. */
  readonly by: string;
  /** A folder for one worker; null if workers see the file system as it is. */
  makeFolder(scratch: string): WorkerFolder | null;
  /** The command line in front of the worker's own command. */
  command(folder: WorkerFolder | null): readonly string[];
  /** The filter of system calls that the command reads from `FILTER_FD`. */
  readonly filter?: Buffer;
  /** Whether RLIMIT_NPROC counts only the processes of one worker, not those of all workers. */
  readonly countsProcesses?: boolean;
}

/** After the standard streams. */
const CHANNEL_FD = 3;
const FILTER_FD = 4;

export interface IsolatedProcess {
  readonly child: ChildProcess;
  readonly channel: WorkerChannel;
}

/**
 * Starts a program of ours on Node.js, isolated; it has `process.send` like one that was forked. `command` is the whole command,
 * which ends with Node.js and its options.
 */
export function startIsolated(
  { filter }: Isolation,
  [program = '', ...rest]: readonly string[],
  entry: string,
  { args = [], env }: { readonly args?: readonly string[]; readonly env: NodeJS.ProcessEnv },
): IsolatedProcess {
  const child = spawn(program, [...rest, entry, ...args], {
    // A separate process group, so that killing the group also kills a program that the child started.
    detached: true,
    env: { ...env, NODE_CHANNEL_FD: String(CHANNEL_FD) },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...(filter ? ['pipe' as const] : [])],
  });
  const pipe = child.stdio[FILTER_FD];
  if (pipe instanceof Writable) pipe.on('error', () => undefined).end(filter);
  return { child, channel: new WorkerChannel(child.stdio[CHANNEL_FD] as Duplex) };
}

/**
 * Another user for the decoders of a service that runs as root. No account has this number, nor does PostgreSQL's
 * user.
 */
export const DECODER: SystemUser = { uid: 65_533, gid: 65_533 };

/** Without capabilities, and unable to get any from a set-uid program. */
const NO_CAPABILITIES = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
const AS_DECODER = [`--reuid=${DECODER.uid}`, `--regid=${DECODER.gid}`, '--clear-groups', ...NO_CAPABILITIES];
const ENTER_ROOT = join(__dirname, '..', '..', 'enter-root.sh');

/** Starts workers without isolation, if no other way works. */
export const NO_ISOLATION: Isolation = {
  level: 'none',
  by: 'nothing',
  makeFolder: () => null,
  command: () => [],
};

/**
 * The kinds of isolation that this system may support, the best first. Only an attempt shows whether one works.
 * `programs` are the absolute paths of the programs that workers start.
 */
export async function isolationsFor(programs: readonly string[]): Promise<readonly Isolation[]> {
  if (process.platform !== 'linux') return [NO_ISOLATION];
  const [bwrap, unshare, setpriv] = await Promise.all(
    ['bwrap', 'unshare', 'setpriv'].map((name) => findOnPath(name)),
  );
  const shown = shownPaths([...programs, ...[setpriv, unshare].filter((path) => typeof path === 'string')]);
  const root = process.getuid?.() === 0;
  const ways: Isolation[] = [];
  const filter = systemCallFilter();
  const owner = root ? DECODER : undefined;
  const asDecoder = root && setpriv ? [setpriv, ...AS_DECODER, '--'] : [];
  if (bwrap && filter && (setpriv || !root))
    ways.push({
      ...contained(owner, (folder) => [...bubblewrap(bwrap, shown, !root)(folder), ...asDecoder]),
      ...{ level: 'sandbox', by: 'bubblewrap', filter, countsProcesses: !root && countsByNamespace() },
    });
  if (unshare && setpriv)
    ways.push({
      ...contained(owner, namespaces({ unshare, setpriv, shown, root })),
      ...{ level: 'namespaces', by: 'util-linux' },
    });
  if (root && setpriv) {
    // The storage sweeps its own scratch folder, but not this one.
    await WorkerFolder.sweep(tmpdir());
    ways.push(otherUser(setpriv));
  }
  if (setpriv)
    ways.push({
      ...NO_ISOLATION,
      by: 'setpriv',
      command: () => [setpriv, ...(root ? NO_CAPABILITIES : ['--no-new-privs']), '--'],
    });
  return [...ways, NO_ISOLATION];
}

/** Linux 5.14 and later count the processes of a user in each user namespace by itself. */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function contained(
  owner: SystemUser | undefined,
  command: (folder: WorkerFolder) => readonly string[],
): Pick<Isolation, 'makeFolder' | 'command'> {
  return {
    makeFolder: (scratch) => WorkerFolder.make(scratch, { owner, contained: true }),
    command: (folder) => (folder ? command(folder) : []),
  };
}

/** Other users can't enter the scratch folder, or perhaps any folder of root, so the workers' folders are in /tmp. */
function otherUser(setpriv: string): Isolation {
  return {
    level: 'user',
    by: 'setpriv',
    makeFolder: () => WorkerFolder.make(tmpdir(), { owner: DECODER, contained: false }),
    command: () => [setpriv, ...AS_DECODER, '--'],
  };
}

/** Without /proc: a container's can't be mounted again inside it, and decoders need none. */
function bubblewrap(program: string, shown: readonly string[], withUser: boolean) {
  const user = withUser ? ['--unshare-user', '--uid', `${DECODER.uid}`, '--gid', `${DECODER.gid}`] : [];
  return (folder: WorkerFolder): readonly string[] => [
    ...[program, ...user],
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--seccomp', `${FILTER_FD}`, '--dir', '/proc', '--dir', '/dev'],
    ...['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => {
      return ['--dev-bind', `/dev/${name}`, `/dev/${name}`];
    }),
    // Folders that bubblewrap creates by itself are closed to the decoder's user.
    ...parentsOf([...shown, folder.in]).flatMap((path) => ['--dir', path]),
    ...[...shown, folder.in].flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', folder.out, folder.out, '--remount-ro', '/', '--chdir', '/', '--'],
  ];
}

/** The same with util-linux instead of bubblewrap. */
function namespaces(of: { unshare: string; setpriv: string; shown: readonly string[]; root: boolean }) {
  const { unshare, setpriv, shown, root } = of;
  const end = root
    ? [setpriv, ...AS_DECODER, '--']
    : // The user that mounted is root in its namespace; one more namespace makes it a user without rights.
      [
        ...[unshare, '--user', `--map-user=${DECODER.uid}`, `--map-group=${DECODER.gid}`, '--'],
        ...[setpriv, ...NO_CAPABILITIES, '--ambient-caps=-all', '--'],
      ];
  return (folder: WorkerFolder): readonly string[] => [
    // When the service is killed, the system kills its workers, even if they don't notice.
    ...[setpriv, '--pdeathsig=KILL', '--', unshare],
    ...(root ? [] : ['--user', '--map-root-user']),
    ...[
      '--mount',
      '--net',
      '--pid',
      '--ipc',
      '--uts',
      '--propagation=private',
      '--fork',
      '--kill-child',
      '--',
    ],
    ...['/bin/sh', ENTER_ROOT, folder.path, ...shown, folder.in, '--', ...end],
  ];
}

/** Every folder above the paths except the root; outer folders before inner ones. */
function parentsOf(paths: readonly string[]): readonly string[] {
  const above = (path: string): readonly string[] => (path === '/' ? [] : [...above(dirname(path)), path]);
  return [...new Set(paths.flatMap((path) => above(dirname(path))))];
}
