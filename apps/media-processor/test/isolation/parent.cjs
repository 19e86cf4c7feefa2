/**
 * Replaces media-processor in tests: a process with a credential in its environment that runs jobs on isolated workers.
 * Arguments: the name of the kind of isolation, a folder, the names of the jobs, and JSON with `key`. Prints a line
 * of JSON for each job.
 */
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setTimeout } = require('node:timers/promises');
const { chooseIsolation } = require('../../dist/isolation/choose-isolation');
const { isolationsFor } = require('../../dist/isolation/isolation');
const { locateTools } = require('../../dist/tools/locate-tools');
const { DecoderPool } = require('../../dist/decoders/decoder-pool');

const MIB = 1024 * 1024;
const [by, level, folder, entry, ...jobs] = process.argv.slice(2);
const orders = jobs.map((text) => JSON.parse(text));

async function main() {
  const videoTools = process.env.VIDEO_TOOLS ?? 'auto';
  const { tools } = await locateTools({ videoTools, ffmpeg: '', ffprobe: '' });
  const ways = await isolationsFor([tools.ffmpeg[0], tools.ffprobe[0]]);
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch, { mode: 0o700 });
  const isolation = ways.find((way) => way.by === by && way.level === level);
  if (!isolation)
    throw new Error(`${by} is not among the ways: ${(await chooseIsolation({ tools, scratch })).refused}`);
  const pool = new DecoderPool({
    entry: join(dirname(process.argv[1]), '..', '..', entry),
    prlimit: tools.prlimit,
    nice: 'nice',
    size: 1,
    memoryLimit: 400 * MIB,
    recycleAbove: 300 * MIB,
    restMs: 60_000,
    keptReady: 0,
    isolation,
    scratch,
  });
  for (const { slug, key, source, ...media } of orders) {
    const target = mkdtempSync(join(scratch, 'variants-'));
    const job = {
      media: {
        slug,
        key: key.replaceAll('PARENT', process.pid),
        kind: 'image',
        format: 'png',
        frames: 1,
        ...media,
      },
      ...{ source, folder: target, tools, seed: slug },
      task: { makes: 'everything' },
      limits: { toolMemory: 800 * MIB, toolSeconds: 60 },
    };
    const said = await pool
      .run(job, {
        lane: 'quick',
        timeLimitMs: 60_000,
        writtenLimit: 64 * MIB,
        onProgress: () => undefined,
        onCrash: () => undefined,
        accept: async (result) => result,
      })
      .then(
        ({ thumbhash }) => ({ said: thumbhash }),
        (error) => ({ error: error.message, detail: error.detail }),
      );
    const files = Object.fromEntries(
      readdirSync(target).map((name) => [name, readFileSync(join(target, name), 'latin1').slice(0, 20)]),
    );
    process.stdout.write(`${JSON.stringify({ ...said, files })}\n`);
  }
  // A worker that goes on after its last reply is ended before the pool is closed.
  const rests = () => readdirSync(scratch).some((name) => name.startsWith('vitrine-worker-'));
  while (orders.at(-1)?.slug.endsWith('later') && rests()) await setTimeout(50);
  await pool.close();
  const left = readdirSync(scratch).filter((name) => name.startsWith('vitrine-worker-'));
  writeFileSync(1, `${JSON.stringify({ left })}\n`);
}

void main();
