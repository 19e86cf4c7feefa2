/** A worker that behaves as its job's slug says, in the ways in which a hostile file can make a decoder behave. */
const { Buffer } = require('node:buffer');
const { spawn } = require('node:child_process');
const { existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const result = {
  files: [],
  variants: [],
  frames: [],
  hashes: [],
  thumbhash: '',
  width: 1,
  height: 1,
  duration: null,
};
const hoard = [];

process.on('message', ({ id, job }) => {
  const done = () =>
    process.send({ type: 'done', id, result: { ...result, thumbhash: String(process.pid) } });
  const marker = join(job.folder, 'tried');
  switch (job.media.slug) {
    case 'good':
      process.send({ type: 'progress', id, percent: 50 }, done);
      break;
    case 'refused':
      process.send({ type: 'refused', id, reason: 'The image could not be decoded.', detail: 'bad header' });
      break;
    case 'babble':
      process.send(null);
      process.send('text');
      process.send({ type: 'progress', id, percent: 'much' });
      process.send({ type: 'refused', id, reason: '<a href="//evil.example">', detail: {} });
      break;
    case 'nothing':
      process.send({ type: 'done', id, result: null });
      break;
    case 'no-list':
      process.send({ type: 'done', id, result: { files: 'none' } });
      break;
    case 'no-file':
      process.send({ type: 'done', id, result: { ...result, files: [null] } });
      break;
    case 'failed':
      process.send({ type: 'failed', id, error: 'Disk full' });
      break;
    case 'full':
      process.send({ type: 'failed', id, error: 'ENOSPC: no space left on device, write' });
      break;
    case 'crash':
      process.abort();
      break;
    case 'crash-once':
      if (existsSync(marker)) return done();
      writeFileSync(marker, '');
      process.abort();
      break;
    case 'hang':
      spawn('/bin/sleep', ['600'], { stdio: 'ignore' }).on('spawn', function () {
        writeFileSync(marker, String(this.pid));
      });
      break;
    case 'slow':
      setTimeout(done, 1_500);
      break;
    case 'spin':
      for (;;);
    case 'hoard':
      setInterval(() => hoard.push(Buffer.alloc(16 * 1024 * 1024, 1)), 5);
      break;
    case 'large':
      hoard.push(Buffer.alloc(200 * 1024 * 1024, 1));
      done();
      break;
    case 'environment':
      process.send({
        type: 'done',
        id,
        result: { ...result, thumbhash: Object.keys(process.env).sort().join() },
      });
      break;
  }
});
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.send({ type: 'ready' });
