/** A hijacked worker: does what its job's slug says, and reports the result. */
const { Buffer } = require('node:buffer');
const { execFileSync, spawn } = require('node:child_process');
const { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const { networkInterfaces } = require('node:os');
const { join } = require('node:path');

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

async function lookAround(job) {
  const { reads, writes, addresses } = JSON.parse(job.media.key);
  const status = readFileSync('/proc/self/status', 'utf8');
  return {
    uid: process.getuid(),
    groups: process.getgroups(),
    capabilities: /^CapEff:\s*(\w+)/m.exec(status)[1],
    noNewPrivileges: /^NoNewPrivs:\s*(\d)/m.exec(status)[1],
    commands: readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0].split('/').at(-1)),
    interfaces: Object.keys(networkInterfaces()),
    source: readFileSync(job.source, 'utf8'),
    reads: reads.map((path) => outcome(() => readFileSync(path))),
    lists: reads.map((path) => outcome(() => readdirSync(join(path, '..')))),
    writes: [job.source, ...writes].map((path) => outcome(() => writeFileSync(path, 'x'))),
    connections: await Promise.all(addresses.map(connecting)),
    mounts: outcome(() => execFileSync('/bin/mount', ['-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })),
  };
}

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
    case 'hoard':
      return setInterval(() => hoard.push(Buffer.alloc(16 * 1024 * 1024, 1)), 5);
    case 'spin':
      spawn('/bin/sleep', [job.media.key], { stdio: 'ignore' }).on('spawn', () => {
        for (;;);
      });
  }
});
process.send({ type: 'ready' });
