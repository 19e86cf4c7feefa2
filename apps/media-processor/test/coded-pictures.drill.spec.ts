import { inspect, MemorySource, UnreadableFileError, UnsupportedFormatError } from '@vitrine/formats';
import { describeWithChromium, launchChromium } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { refuseOnFailure, UnprocessableFileError } from '../src/failures/failures';
import { decodeFor } from '../src/images/decode-still';
import { openSource } from '../src/images/image-source';
import { openFrame, restrictLoaders } from '../src/pixels/open-image';
import { fromPixels } from '../src/pixels/pixels';
import { avifCells } from './samples/avif-cells';
import type { CodedCell } from './samples/coded-cell';
import { jpegCells } from './samples/jpeg-cells';
import { Bench } from './samples/jobs';
import { PictureSheet } from './samples/picture-sheet';
import { stored } from './samples/stored';
import { webpCells } from './samples/webp-cells';

/** Pixels of the square in which a picture is shown, at its own size. */
const EDGE = 64;
const COLUMNS = 12;
const ROWS = 8;
const BATCH = COLUMNS * ROWS;
/** Mean difference of 255 below which two decoders show the same: they upsample colours in different ways. */
const ALIKE = 8;

interface Shown {
  readonly name: string;
  /** The served original; null if the upload is refused. */
  readonly served: Buffer | null;
  readonly refusal: string;
  readonly width: number;
  readonly height: number;
  readonly job: Awaited<ReturnType<Bench['job']>> | null;
}

describeWithChromium('pictures with one peculiarity each', () => {
  let browser: Browser;
  let sheet: PictureSheet;
  let bench: Bench;

  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
    browser = await launchChromium();
    const viewport = { width: COLUMNS * EDGE, height: ROWS * EDGE };
    sheet = new PictureSheet(await browser.newPage({ viewport }), EDGE, COLUMNS);
  });
  afterAll(async () => {
    await browser?.close();
    await bench?.close();
  });

  async function upload({ name, format, file }: CodedCell): Promise<Shown> {
    try {
      const { facts, served } = await stored(file);
      const again = await inspect(new MemorySource(served));
      expect([name, again.rewrite, again.facts]).toEqual([name, null, facts]);
      const job = await bench.job(served, { format, ext: facts.ext, frames: facts.frames });
      return { name, served, refusal: '', width: facts.width, height: facts.height, job };
    } catch (error) {
      if (!(error instanceof UnreadableFileError) && !(error instanceof UnsupportedFormatError)) throw error;
      return { name, served: null, refusal: error.message, width: 0, height: 0, job: null };
    }
  }

  /** What is judged, as raw RGB; null if it can't be decoded. */
  async function judged({ job, width, height }: Shown, background: string): Promise<Buffer | null> {
    if (!job) return null;
    try {
      const source = await openSource(job);
      const size = `${source.width} × ${source.height}`;
      if (size !== `${width} × ${height}`) throw new Error(`${width} × ${height} is decoded as ${size}`);
      const picture = source.timing
        ? openFrame(source.input, 0)
        : fromPixels((await refuseOnFailure(() => decodeFor('png', source, source))).pixels);
      const flat = picture.flatten({ background }).removeAlpha().toColourspace('srgb');
      const canvas = { width: EDGE, height: EDGE, channels: 3 as const, background };
      return await sharp({ create: canvas })
        .composite([{ input: await flat.png().toBuffer(), left: 0, top: 0 }])
        .removeAlpha()
        .raw()
        .toBuffer();
    } catch (error) {
      if (error instanceof UnprocessableFileError) return null;
      throw error;
    }
  }

  const difference = (one: Buffer, other: Buffer): number =>
    one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;

  it.each([
    ['WebP', webpCells, 60],
    ['AVIF', avifCells, 240],
    ['JPEG', jpegCells, 100],
  ] as const)('%s: show visitors what is judged, or are refused', async (_, makeCells, leastAccepted) => {
    const cells = await makeCells();
    const uploads = await Promise.all(cells.map(upload));
    const accepted = uploads.filter(({ served }) => served !== null);
    const different: string[] = [];
    for (let first = 0; first < accepted.length; first += BATCH) {
      const batch = accepted.slice(first, first + BATCH);
      for (const background of ['#ffffff', '#000000']) {
        // The browser recognises the format.
        const addresses = batch.map(({ served }) => `data:image/png;base64,${served!.toString('base64')}`);
        const shown = await sheet.show(addresses, background);
        for (const [index, one] of batch.entries()) {
          const expected = await judged(one, background);
          const { pixels, width, height } = shown[index] as (typeof shown)[number];
          const size = `${width} × ${height}`;
          if (!expected) different.push(`${one.name}: is accepted, but can't be decoded`);
          else if (size !== `${one.width} × ${one.height}`) different.push(`${one.name}: ${size}`);
          else if (difference(pixels, expected) > ALIKE)
            different.push(`${one.name}: ${difference(pixels, expected).toFixed(1)} on ${background}`);
        }
      }
    }
    expect(different).toEqual([]);
    expect(accepted.length).toBeGreaterThanOrEqual(leastAccepted);
  });
});
