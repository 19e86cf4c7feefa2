import { readFileTrace } from './file-trace';

const trace = (...lines: string[]): ReturnType<typeof readFileTrace> =>
  readFileTrace(lines.map((line) => `4711  ${line}`).join('\n'));

describe('readFileTrace', () => {
  it('distinguishes paths that are read, written and only looked up', () => {
    const { read, written, seen } = trace(
      'openat(AT_FDCWD</home>, "a", O_RDONLY|O_CLOEXEC) = 3</home/a>',
      'openat(3</data>, "../b", O_RDONLY) = -1 ENOENT (No such file or directory)',
      'open("/c", O_RDONLY <unfinished ...>',
      'openat(AT_FDCWD</home>, "/d", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 4</d>',
      'rename("/d", "/e") = 0',
      'newfstatat(AT_FDCWD</home>, "/f", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0',
      'newfstatat(5<socket:[1]>, "", {st_mode=S_IFSOCK|0777}, AT_EMPTY_PATH) = 0',
    );
    expect([...read]).toEqual(['/home/a', '/b', '/c']);
    expect([...written]).toEqual(['/d', '/e']);
    expect([...seen]).toEqual(['/f']);
  });

  it('lists the programs that were started, not those that were searched for', () => {
    const { executed } = trace(
      'execve("/usr/local/bin/tool", ["tool", "/x"], 0x7ffd /* 3 vars */) = -1 ENOENT (No such file or directory)',
      'execve("/usr/bin/tool", ["tool", "/x"], 0x7ffd /* 3 vars */) = 0',
    );
    expect([...executed]).toEqual(['/usr/bin/tool']);
  });

  it('reports every call that could leave the process, and none between parent and child', () => {
    const leaving = [
      'socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 3<TCP:[1]>',
      'connect(3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("10.0.0.1")}, 16) = -1 ENETUNREACH (Network is unreachable)',
      'sendto(3<UDP:[1]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 1',
      'sendmsg(3<UDP:[1]>, {msg_name={sa_family=AF_INET}, msg_namelen=16}, 0) = 1',
      'io_uring_setup(64, {flags=0}) = 5',
    ];
    const { network } = trace(
      ...leaving,
      'socketpair(AF_UNIX, SOCK_STREAM, 0, [3<socket:[1]>, 4<socket:[2]>]) = 0',
      'sendmsg(3<socket:[1]>, {msg_name=NULL, msg_namelen=0, msg_iov=[]}, 0) = 5',
      'sendto(3<socket:[1]>, "x", 1, 0, NULL, 0) = 1',
    );
    expect(network).toEqual(leaving.map((line) => `4711  ${line}`));
  });
});
