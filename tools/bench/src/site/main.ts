import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { VitrineClient } from '@vitrine/client';
import { launchChromium } from '@vitrine/testing';
import { Client } from 'pg';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { RunningStack } from '../cost/running-stack';
import { Uploader } from '../cost/uploader';
import { atMost, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { findPhotographs } from '../quality/photographs';
import { median } from '../statistics/statistics';

const TILES = 30;
/** Much longer than a picture takes between two of its packets. */
const QUIET_MS = 3_000;
const [WIDTH, HEIGHT] = [1280, 960];
/** "Fast 3G" of browsers: 1.6 Mbit/s, 150 ms. */
const LINK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Milliseconds until the latest largest paint, as a script for the page. */
const LARGEST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true }))`;

interface Load {
  /** Seconds until the largest picture or text is shown. */
  readonly lcp: number;
  /** Everything that was transferred, in kB. */
  readonly kilobytes: number;
}

/**
 * npm run bench:site. Starts Vitrine with an empty data folder, uploads photographs of 1,280 pixels, and loads pages with a
 * phone on a slow link and an empty cache: as a browser that knows AVIF and WebP, and as one that knows neither.
 */
async function main(): Promise<boolean> {
  const options = readOptions({ rounds: { default: 3, least: 1 } }, ['folder']);
  const scratch = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const settings = { ALTERNATIVES_SECONDS_PER_HOUR: '3600', SWEEP_INTERVAL_SECONDS: '1' };
  const stack = await RunningStack.start(settings);
  const browser = await launchChromium();
  try {
    const { source, paths } = await findPhotographs(4, scratch, options.folder);
    print(`Pictures: ${source}`);
    const post = await fill(stack, paths);
    const load = async (path: string, accept?: string): Promise<Load> => {
      const loads: Load[] = [];
      for (let round = 0; round < options.rounds; round++)
        loads.push(await visit(browser, stack.site + path, accept));
      return {
        lcp: median(loads.map(({ lcp }) => lcp)),
        kilobytes: median(loads.map(({ kilobytes }) => kilobytes)),
      };
    };
    const pages = { post: await load(post), home: await load('/') };
    const plain = { post: await load(post, '*/*'), home: await load('/', '*/*') };
    const of = ({ lcp, kilobytes }: Load): string => `${seconds(lcp)}, ${kB(kilobytes)}`;
    print(`Without AVIF and WebP: post ${of(plain.post)}; ${TILES} tiles ${of(plain.home)}`);
    print(`With them: post ${of(pages.post)}; ${TILES} tiles ${of(pages.home)}`);
    return report([
      atMost('post of four pictures: largest contentful paint', pages.post.lcp, 2.5, seconds),
      atMost(`page of ${TILES} tiles: bytes`, pages.home.kilobytes, 600, kB),
    ]);
  } finally {
    await browser.close();
    await stack.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
const kB = (value: number): string => `${value.toFixed(0)} kB`;

/** Posts 29 pictures, and then four in one post, whose path it returns; resolves when all have their copies. */
async function fill(stack: RunningStack, photographs: readonly string[]): Promise<string> {
  const uploader = await Uploader.create(stack);
  const client = new VitrineClient({ baseUrl: stack.api, uploadUrl: stack.upload, token: uploader.token });
  const ids: number[] = [];
  for (let index = 0; index < TILES + 3; index++) {
    const file = await sharp(photographs[index % photographs.length], { autoOrient: true })
      .resize(WIDTH, HEIGHT, { fit: 'cover' })
      // Makes each of them another picture.
      .modulate({ hue: 7 * index })
      .jpeg({ quality: 85 })
      .toBuffer();
    ids.push((await client.media.upload(Uint8Array.from(file), { name: `${index}.jpg` })).id);
  }
  await uploader.settled();
  const post = (media_ids: number[]): Promise<{ readonly slug: string }> =>
    client.posts.create({ media_ids, title: 'A picture', visibility: 'public' });
  for (const id of ids.slice(0, TILES - 1)) await post([id]);
  const { slug } = await post(ids.slice(TILES - 1));
  const database = new Client({ connectionString: stack.databaseUrl });
  await database.connect();
  const isDone = async (): Promise<boolean> =>
    (await database.query('select from alternative_work limit 1')).rows.length === 0;
  while (!(await isDone())) await pause(500);
  await database.end();
  await uploader.close();
  return `/p/${slug}`;
}

/** Loads a page with an empty cache. `accept`: what the browser says that it accepts; by default, what it does. */
async function visit(browser: Browser, url: string, accept?: string): Promise<Load> {
  const context = await browser.newContext({
    ...PHONE,
    ...(accept !== undefined && { extraHTTPHeaders: { Accept: accept } }),
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINK);
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(url, { waitUntil: 'networkidle' });
    // Pictures below the window begin to load later.
    for (let before = -1; before < bytes; await pause(QUIET_MS)) before = bytes;
    const lcp = await page.evaluate<number>(LARGEST_PAINT);
    return { lcp: lcp / 1000, kilobytes: bytes / 1000 };
  } finally {
    await context.close();
  }
}

runBenchmark('site', main);
