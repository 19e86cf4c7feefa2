import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithChromium, launchChromium, whoseTurnItIs } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { draw, openDrawing } from '../src/images/drawing';
import { restrictLoaders } from '../src/pixels/open-image';
import { PictureSheet } from './samples/picture-sheet';
import { pixelDifference } from './samples/pixel-difference';
import { stored } from './samples/stored';
import { CELL_EDGE as EDGE, type SvgCell } from './samples/svg-cell';
import { CHANGED_BY_UPLOAD, svgCells } from './samples/svg-cells';

const COLUMNS = 12;
const ROWS = 8;
const BATCH = COLUMNS * ROWS;
/** Shares of the pixels, and mean differences of 255, below which two pictures look alike: edges are smoothed differently. */
const ALIKE = { pixels: 0.01, mean: 4 };
/** A difference of a pixel that counts, of 255. */
const VISIBLE = 60;

const uploaded = async (svg: string): Promise<Buffer> => (await stored(Buffer.from(svg))).served;

const flat = (picture: sharp.Sharp, background: string): Promise<Buffer> =>
  picture.flatten({ background }).removeAlpha().toColourspace('srgb').raw().toBuffer();

function isAlike(one: Buffer, other: Buffer): boolean {
  const { visible, mean } = pixelDifference(one, other, VISIBLE);
  return visible <= ALIKE.pixels && mean <= ALIKE.mean;
}

describeWithChromium('drawings with one construct each', () => {
  let browser: Browser;
  let sheet: PictureSheet;
  let folder: string;

  beforeAll(async () => {
    restrictLoaders();
    folder = await mkdtemp(join(tmpdir(), 'vitrine-drawings-'));
    browser = await launchChromium();
    const viewport = { width: COLUMNS * EDGE, height: ROWS * EDGE };
    sheet = new PictureSheet(await browser.newPage({ viewport }), EDGE, COLUMNS, 'contain');
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
  });

  /** What the browser shows of each drawing, as raw RGB. */
  async function shown(drawings: readonly (Buffer | string)[], background: string): Promise<Buffer[]> {
    const addresses = drawings.map(
      (svg) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    );
    return (await sheet.show(addresses, background)).map(({ pixels }) => pixels);
  }

  /** What is judged. */
  async function judged(served: Buffer, background: string): Promise<Buffer> {
    const path = join(folder, 'drawing.svg');
    await writeFile(path, served);
    const drawing = await openDrawing(path);
    const scale = EDGE / Math.max(drawing.width, drawing.height);
    const size = {
      width: Math.max(1, Math.round(drawing.width * scale)),
      height: Math.max(1, Math.round(drawing.height * scale)),
    };
    return flat((await draw(drawing, size)).resize(EDGE, EDGE, { fit: 'contain', background }), background);
  }

  const all = svgCells();
  const cells = whoseTurnItIs(all);
  const batches = Array.from({ length: Math.ceil(cells.length / BATCH) }, (_, batch) => ({
    first: batch * BATCH,
    cells: cells.slice(batch * BATCH, (batch + 1) * BATCH),
  }));

  it('are at least 2,000', () => {
    expect(all.length).toBeGreaterThan(2000);
  });

  // Promise [formats]: Visitors see of an SVG what moderation judged.
  it.each(batches)(
    'show visitors what is judged, which looks as before the upload, from number $first on',
    async ({ cells: some }) => {
      const served = await Promise.all(some.map(({ svg }) => uploaded(svg)));
      const [onWhite, onBlack] = [await shown(served, '#ffffff'), await shown(served, '#000000')];
      const different: string[] = [];
      for (const [index, { name }] of some.entries()) {
        const file = served[index] as Buffer;
        if (!isAlike(onWhite[index] as Buffer, await judged(file, '#ffffff'))) different.push(name);
        else if (!isAlike(onBlack[index] as Buffer, await judged(file, '#000000'))) different.push(name);
      }
      expect(different).toEqual([]);

      const before = await shown(
        some.map(({ svg }) => svg),
        '#ffffff',
      );
      const isKnown = ({ name }: SvgCell): boolean => CHANGED_BY_UPLOAD.some(({ names }) => names.test(name));
      const changed = some.filter(
        (one, index) => !isKnown(one) && !isAlike(before[index] as Buffer, onWhite[index] as Buffer),
      );
      expect(changed.map(({ name }) => name)).toEqual([]);
    },
  );
});
