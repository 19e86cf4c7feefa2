import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { IMAGE_EDGE, VARIANT_SIZES, type VariantSize } from '@vitrine/contracts';
import { startRabbitMq } from '@vitrine/testing';
import { Client } from 'pg';
import { RunningStack } from '../bench-cost/running-stack';
import { Uploader } from '../bench-cost/uploader';
import { timed } from '../bench-harness/alternate';
import { atMost, type Figure, print, readOptions, report, runBenchmark } from '../bench-harness/benchmark';
import { photograph } from '../bench-harness/photograph';
import { WorkerChild } from '../bench-harness/worker-child';
import { median, percentile } from '../statistics/statistics';

const FLOOR = join(__dirname, 'floor.js');
const WARM_UP = 2;
/** Longer than the file host trusts a row. */
const TRUST_MS = 600;

/** Limits that one address of a benchmark doesn't reach, and the setting under test. */
const SETTINGS = { VARIANT_RETENTION_DAYS: '30', RATE_LIMIT_REMAKES_PER_MINUTE: '1000000' } as const;

const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/**
 * npm run bench:retention [-- --rounds 20 --readers 30]. How long a request waits for a removed variant of a photograph of
 * 12 megapixels, from the request to the last byte, in the whole stack on either bus; against decoding and encoding the
 * same variant in a process that is ready. Then many readers at once, as of a page of old pictures, each of another one.
 */
async function main(): Promise<boolean> {
  const options = readOptions({ rounds: { default: 20, least: 1 }, readers: { default: 30, least: 2 } });
  print('Making a 12 MP photograph …');
  const photo = await (await photograph(4000, 3000, 1)).jpeg({ quality: 90 }).toBuffer();
  const figures = await measureOn('PostgreSQL', {}, photo, options);
  const broker = await startRabbitMq().catch(() => null);
  if (!broker) print('RabbitMQ is not installed (Debian: rabbitmq-server); skipping that bus');
  try {
    if (broker) figures.push(...(await measureOn('RabbitMQ', { BUS_URL: broker.url }, photo, options)));
  } finally {
    await broker?.remove();
  }
  return report(figures);
}

async function measureOn(
  bus: string,
  settings: Readonly<Record<string, string>>,
  photo: Buffer,
  { rounds, readers }: Readonly<Record<'rounds' | 'readers', number>>,
): Promise<Figure[]> {
  print(`Starting Vitrine with the bus on ${bus} …`);
  const stack = await RunningStack.start({ ...SETTINGS, ...settings });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const uploader = await Uploader.create(stack);
  const database = new Client({ connectionString: stack.databaseUrl });
  try {
    await database.connect();
    const source = join(folder, 'photo.jpg');
    await writeFile(source, photo);
    const bench = new RetentionBench(stack, database);
    await uploader.live([photo], 1);
    const figures = await bench.one(bus, source, rounds);
    // Different pictures, so that no reader profits from another one's work.
    await uploader.live(
      Array.from({ length: readers - 1 }, () => photo),
      2,
    );
    return [...figures, await bench.many(bus, readers)];
  } finally {
    await database.end();
    await uploader.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

class RetentionBench {
  constructor(
    private readonly stack: RunningStack,
    private readonly database: Client,
  ) {}

  /** One reader after the other, each of another size of one picture. */
  async one(bus: string, source: string, rounds: number): Promise<Figure[]> {
    const floor = await WorkerChild.start(FLOOR);
    const waits: number[] = [];
    const works: number[] = [];
    const bySize = new Map<VariantSize, number[]>(VARIANT_SIZES.map((size) => [size, []]));
    try {
      for (let round = 0; round < WARM_UP + rounds; round++) {
        const [slug] = await this.removeAll();
        for (const size of VARIANT_SIZES) {
          const edge = IMAGE_EDGE[size];
          const wait = await timed(() => this.read(slug!, size));
          const work = await floor.ask({ source, width: edge, height: (edge * 3) / 4 });
          if (round < WARM_UP) continue;
          waits.push(wait);
          works.push(work);
          bySize.get(size)?.push(wait);
        }
      }
    } finally {
      // Its channel would keep this process alive after a failure.
      await floor.stop();
    }
    const sizes = [...bySize].map(([size, values]) => `${size} ${median(values).toFixed(0)}`).join(', ');
    const details = ` (p50 ${median(waits).toFixed(0)}; medians ${sizes})`;
    return [
      atMost(
        `wait for a removed size, bus on ${bus}, p95`,
        percentile(waits, 0.95),
        300,
        milliseconds,
        details,
      ),
      atMost(
        `wait / decoding and encoding it in a ready process, bus on ${bus}`,
        median(waits) / median(works),
        3,
        undefined,
        ` (${median(works).toFixed(0)} ms)`,
      ),
    ];
  }

  /** The last answer of a page of small pictures that nobody has looked at for a long time. */
  async many(bus: string, readers: number): Promise<Figure> {
    const last: number[] = [];
    for (let round = 0; round < 5; round++) {
      const slugs = await this.removeAll();
      last.push(await timed(() => Promise.all(slugs.map((slug) => this.read(slug, 'sm')))));
    }
    return atMost(
      `the last of ${readers} at once (320 pixels), bus on ${bus}`,
      median(last),
      3000,
      milliseconds,
    );
  }

  /**
   * Marks every variant as removed; returns the slugs. The objects are replaced when they are made. A classifier may reject
   * noise, so all media are approved. Throws if one could not be processed.
   */
  private async removeAll(): Promise<readonly string[]> {
    const { rows: failed } = await this.database.query<{ processing_error: string }>(
      'select processing_error from media where not processed',
    );
    if (failed[0]) throw new Error(`A picture could not be processed: ${failed[0].processing_error}`);
    const { rows } = await this.database.query<{ slug: string }>(
      `update media set moderation_status = 'approved', variants = (
         select jsonb_agg(case when variant ->> 'key' = 'f/' || slug || '.' || ext then variant
                               else variant || '{"removed": true}' end)
         from jsonb_array_elements(variants) as variant) returning slug`,
    );
    await pause(TRUST_MS);
    return rows.map(({ slug }) => slug);
  }

  private async read(slug: string, size: VariantSize): Promise<void> {
    const response = await fetch(new URL(`/f/${slug}_${size}.jpg`, this.stack.upload));
    const bytes = (await response.arrayBuffer()).byteLength;
    if (response.status !== 200 || bytes === 0) throw new Error(`_${size} was answered ${response.status}`);
    if (response.headers.get('Cache-Control')?.includes('immutable') !== true)
      throw new Error(`_${size} was answered with the original`);
  }
}

runBenchmark('retention', main);
