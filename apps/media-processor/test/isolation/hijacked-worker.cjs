/** A hijacked worker: does what its job's slug says, and reports the result. */
const { Buffer } = require('node:buffer');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} = require('node:fs');
const { connect } = require('node:net');
const { networkInterfaces } = require('node:os');
const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

/** `done`, or the code of the error. */
const outcome = (work) => {
  try {
    work();
    return 'done';
  } catch (error) {
    return error.code ?? String(error);
  }
};

const connecting = (address) =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve('done'));
    socket.once('error', ({ code }) => resolve(code));
  });

/** None where no socket can be made to ask for them. */
const interfaces = () => {
  try {
    return Object.keys(networkInterfaces());
  } catch {
    return [];
  }
};

async function lookAround(job) {
  const { reads, writes, addresses } = JSON.parse(job.media.key);
  const rights = execFileSync('/usr/bin/setpriv', ['-dd'], { encoding: 'utf8' });
  return {
    uid: process.getuid(),
    groups: process.getgroups(),
    capabilities: /^Effective capabilities: (.*)$/m.exec(rights)[1],
    noNewPrivileges: /^no_new_privs: (\d)$/m.exec(rights)[1],
    commands: readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0].split('/').at(-1)),
    interfaces: interfaces(),
    source: readFileSync(job.source, 'utf8'),
    reads: reads.map((path) => outcome(() => readFileSync(path))),
    lists: reads.map((path) => outcome(() => readdirSync(join(path, '..')))),
    writes: [job.source, ...writes].map((path) => outcome(() => writeFileSync(path, 'x'))),
    connections: await Promise.all(addresses.map(connecting)),
    mounts: outcome(() => execFileSync('/bin/mount', ['-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })),
  };
}

/** Makes system calls whose arguments are all the given number. Returns the number of the error of each, by its name. */
function callKernel(calls) {
  const script =
    'my %calls = @ARGV; for (keys %calls) { my ($n, @a) = split /,/, $calls{$_}; $! = 0; syscall($n + 0, map { $_ + 0 } @a); print "$_ ", $! + 0, "\n" }';
  const args = Object.entries(calls).flat();
  const output = execFileSync('/usr/bin/perl', ['-e', script, ...args], { encoding: 'utf8' });
  return Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  );
}

/** Starts processes until none can be started; returns their number. */
function fork() {
  const script = 'n=0; while sleep 600 >/dev/null 2>&1 & do n=$((n+1)); echo $n; done';
  const { stdout } = spawnSync('/bin/sh', ['-c', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout.trim().split('\n').at(-1);
}

/** Writes files without end, and removes each as soon as it is open, if it can. */
function fill(folder) {
  const piece = Buffer.alloc(8 * 1024 * 1024, 1);
  for (let at = 0; ; at++) {
    const file = openSync(join(folder, String(at)), 'w');
    outcome(() => unlinkSync(join(folder, String(at))));
    writeSync(file, piece);
    if (at > 200) closeSync(file);
  }
}

/** Writes to the channel without end, as no program on Node.js does. */
function flood() {
  for (;;) outcome(() => writeSync(CHANNEL_FD, 'x'.repeat(1024 * 1024)));
}

/** Takes memory in a process that another thread has started. */
function hoardElsewhere() {
  const script = '$x = "x" x 3e8; sleep 600';
  const code = `require('node:child_process').spawn('/usr/bin/perl', ['-e', ${JSON.stringify(script)}])`;
  return new Worker(code, { eval: true });
}

const CHANNEL_FD = 3;
const result = {
  ...{ variants: [], frames: [], hashes: [], thumbhash: '' },
  ...{ width: 1, height: 1, duration: null },
};
const hoard = [];

process.on('message', async ({ id, job }) => {
  const done = (names, thumbhash = '') => {
    const files = names.map((name) => ({ file: join(job.folder, name), key: `f/abc/${name}` }));
    process.send({ type: 'done', id, result: { ...result, files, thumbhash } });
  };
  switch (job.media.slug) {
    case 'look':
      writeFileSync(join(job.folder, 'made.txt'), 'made');
      return done(['made.txt'], JSON.stringify(await lookAround(job)));
    case 'link':
      symlinkSync('/etc/passwd', join(job.folder, 'link.txt'));
      return done(['link.txt']);
    case 'pipe':
      execFileSync('/usr/bin/mkfifo', [join(job.folder, 'pipe.txt')]);
      return done(['pipe.txt']);
    case 'folder':
      mkdirSync(join(job.folder, 'folder'));
      return done([]);
    case 'sparse':
      writeFileSync(join(job.folder, 'sparse'), '');
      truncateSync(join(job.folder, 'sparse'), 2 ** 40);
      return done(['sparse']);
    case 'closed':
      chmodSync(job.folder, 0);
      return setTimeout(() => done([]), 500);
    case 'garbage':
      return writeSync(CHANNEL_FD, 'garbage\n');
    case 'protocol':
      writeSync(CHANNEL_FD, '{"cmd":"NODE_HANDLE_ACK"}\n');
      return done([]);
    case 'flood':
      return flood();
    case 'fill-later':
      done([]);
      return setTimeout(() => fill(job.folder), 200);
    case 'hoard-later':
      done([]);
      return setTimeout(hoardElsewhere, 200);
    case 'hoard-elsewhere':
      return [hoardElsewhere(), hoardElsewhere()];
    case 'call':
      return done([], JSON.stringify(callKernel(JSON.parse(job.media.key))));
    case 'fork':
      return done([], fork());
    case 'fill':
      return fill(job.folder);
    case 'hoard':
      return setInterval(() => hoard.push(Buffer.alloc(16 * 1024 * 1024, 1)), 5);
    case 'spin':
      spawn('/bin/sleep', [job.media.key], { stdio: 'ignore' }).on('spawn', () => {
        for (;;);
      });
  }
});
process.send({ type: 'ready' });
