import { resolve } from 'node:path';

/** The system calls of processes, as strace reports them; failed calls too. Paths are absolute. */
export interface FileTrace {
  /** Files and folders opened for reading. */
  readonly read: ReadonlySet<string>;
  /** Paths created, opened for writing, renamed, linked, removed or otherwise changed. */
  readonly written: ReadonlySet<string>;
  /** Paths of every other call: looked up, but not opened. */
  readonly seen: ReadonlySet<string>;
  /** Programs started. */
  readonly executed: ReadonlySet<string>;
  /** Calls that reach, or would reach, beyond the pipes that a process inherited. */
  readonly network: readonly string[];
}

/** Socket pairs without an address connect only parent and child; every other socket could reach another program. */
const HARMLESS_SOCKET_CALLS = new Set([
  ...['socketpair', 'shutdown', 'recvmsg', 'recvfrom'],
  ...['getsockname', 'getpeername', 'getsockopt', 'setsockopt'],
]);
const SOCKET_CALLS = new Set([
  ...['socket', 'connect', 'bind', 'listen', 'accept', 'accept4', 'io_uring_setup'],
  ...['sendto', 'sendmsg', 'sendmmsg', 'recvmmsg'],
]);
const CHANGES =
  /^(creat|unlink|rmdir|mkdir|mknod|rename|link|symlink|truncate|chmod|fchmodat|chown|lchown|fchownat|utime|futime|setxattr|lsetxattr|removexattr|mount|umount|pivot_root|chroot)/;

/** Reads the output of `strace -f -y -e trace=%file,%network,io_uring_setup`. */
export function readFileTrace(text: string): FileTrace {
  const trace = {
    read: new Set<string>(),
    written: new Set<string>(),
    seen: new Set<string>(),
    executed: new Set<string>(),
    network: [] as string[],
  };
  for (const line of text.split('\n')) {
    const [, call = '', rest = ''] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
    if (call === '' || HARMLESS_SOCKET_CALLS.has(call)) continue;
    if (SOCKET_CALLS.has(call)) {
      const addressed = !/msg_name=NULL/.test(rest) && !/NULL, 0\)? *(=|<unfinished)/.test(rest);
      if (addressed) trace.network.push(line);
    } else if (call.startsWith('execve')) {
      if (!rest.includes(' = -1 ')) pathsOf(rest, 1).forEach((path) => trace.executed.add(path));
    } else if (CHANGES.test(call)) {
      pathsOf(rest, 2).forEach((path) => trace.written.add(path));
    } else if (call.startsWith('open')) {
      const changes = /\b(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)\b/.test(rest);
      pathsOf(rest, 1).forEach((path) => (changes ? trace.written : trace.read).add(path));
    } else {
      pathsOf(rest, 1).forEach((path) => trace.seen.add(path));
    }
  }
  return trace;
}

/** The first quoted arguments of a call, each resolved against the folder that the call names before it. */
function pathsOf(args: string, count: number): string[] {
  const found = [...args.matchAll(/(?:<([^<>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].slice(0, count);
  return found.flatMap(([, folder = '/', path = '']) => (path === '' ? [] : [resolve(folder, path)]));
}
