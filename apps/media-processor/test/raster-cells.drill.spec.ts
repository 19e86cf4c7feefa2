import { UnreadableFileError, UnsupportedFormatError } from '@vitrine/formats';
import { describeWithChromium, launchChromium, whoseTurnItIs } from '@vitrine/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { refuseOnFailure, UnprocessableFileError } from '../src/failures/failures';
import { convertToSrgb, decodeFor } from '../src/images/decode-still';
import { type ImageSource, openSource } from '../src/images/image-source';
import { openFrame, restrictLoaders } from '../src/pixels/open-image';
import { fromPixels, toPixels, type Pixels } from '../src/pixels/pixels';
import { apngCells } from './cells/apng-cells';
import { avifCells } from './cells/avif-cells';
import { bmpCells } from './cells/bmp-cells';
import { gifCells } from './cells/gif-cells';
import { jpegCells } from './cells/jpeg-cells';
import { KNOWN_DIFFERENCES } from './cells/known-differences';
import { pngCells } from './cells/png-cells';
import { profileCells } from './cells/profile-cells';
import { RASTER_EDGE as EDGE, type RasterCell } from './cells/raster-cell';
import { tiffCells } from './cells/tiff-cells';
import { webpCells } from './cells/webp-cells';
import { Bench } from './samples/jobs';
import { PictureSheet } from './samples/picture-sheet';
import { pixelDifference } from './samples/pixel-difference';
import { stored } from './samples/stored';

const COLUMNS = 32;
const BATCH = 512;
const BACKGROUNDS = ['#ffffff', '#000000'] as const;
/**
 * Mean difference of 255, and the share of pixels that differ visibly, below which two pictures look alike. Decoders of lossy
 * formats and conversions of colours round differently.
 */
const ALIKE = { mean: 4, pixels: 0.02 };
const ALIKE_IF_LOSSY = { mean: 6, pixels: 0.08 };
const LOSSY: readonly RasterCell['format'][] = ['webp', 'avif', 'jpeg'];
/** A difference that counts, of 255. */
const VISIBLE = 24;
/** The least correlation of the luminances of two pictures that show the same in other colours. */
const RELATED = 0.7;

/** A cell after its upload, with the pictures that are judged. */
interface Accepted {
  readonly cell: RasterCell;
  readonly served: Buffer;
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Pixels[];
}

const SHOWN: Readonly<Record<RasterCell['format'], string>> = {
  ...{ png: 'image/png', gif: 'image/gif', bmp: 'image/bmp', webp: 'image/webp' },
  ...{ avif: 'image/avif', jpeg: 'image/jpeg', tiff: 'image/tiff' },
};

type Stored = Awaited<ReturnType<typeof stored>>;

const addressOf = ({ served, cell }: Accepted): string =>
  `data:${SHOWN[cell.format]};base64,${served.toString('base64')}`;

/** The upper left corner of a picture on a background, as raw RGB. */
async function flat(picture: Pixels, background: string): Promise<Buffer> {
  const [width, height] = [Math.min(EDGE, picture.width), Math.min(EDGE, picture.height)];
  const { data, info } = await fromPixels(picture)
    .flatten({ background })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info })
    .extract({ left: 0, top: 0, width, height })
    .extend({ right: EDGE - width, bottom: EDGE - height, background })
    .raw()
    .toBuffer();
}

/** What is different; null if the pictures look alike. */
function difference(cell: RasterCell, one: Buffer, other: Buffer): string | null {
  const { visible, mean } = pixelDifference(one, other, VISIBLE);
  const limit = LOSSY.includes(cell.format) ? ALIKE_IF_LOSSY : ALIKE;
  if (visible <= limit.pixels && mean <= limit.mean) return null;
  const isKnown = KNOWN_DIFFERENCES.some(({ names }) => names.test(cell.name));
  if (isKnown && correlation(lumaOf(one), lumaOf(other)) >= RELATED) return null;
  return `${(100 * visible).toFixed(1)} % of the pixels differ, ${mean.toFixed(1)} on average`;
}

const lumaOf = (rgb: Buffer): number[] =>
  Array.from({ length: rgb.length / 3 }, (_, pixel) => {
    const [r = 0, g = 0, b = 0] = rgb.subarray(3 * pixel, 3 * pixel + 3);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });

/** Pearson's correlation of two pictures; 0 if one of them is blank. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, otherMiddle] = [mean(one), mean(other)];
  const covariance = mean(one.map((value, at) => (value - middle) * ((other[at] ?? 0) - otherMiddle)));
  const spread = (values: readonly number[], around: number): number =>
    Math.sqrt(mean(values.map((value) => (value - around) ** 2)));
  const product = spread(one, middle) * spread(other, otherMiddle);
  return product > 0 ? covariance / product : 0;
}

const suites: readonly (readonly [string, () => RasterCell[] | Promise<RasterCell[]>])[] = [
  ['PNG', pngCells],
  ['APNG', apngCells],
  ['GIF', gifCells],
  ['BMP', bmpCells],
  ['definitions of colours', profileCells],
  ['WebP', webpCells],
  ['AVIF', avifCells],
  ['JPEG', jpegCells],
  ['TIFF', tiffCells],
];

describeWithChromium('pictures with one odd field each', () => {
  let browser: Browser;
  let sheet: PictureSheet;
  let player: Page;
  let bench: Bench;
  const counts = new Map<
    string,
    { readonly cells: number; readonly tried: number; readonly accepted: number }
  >();

  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
    browser = await launchChromium();
    const viewport = { width: COLUMNS * EDGE, height: (BATCH / COLUMNS) * EDGE };
    sheet = new PictureSheet(await browser.newPage({ viewport }), EDGE, COLUMNS);
    // ImageDecoder exists only in secure contexts.
    player = await browser.newPage();
    await player.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<body>' }));
    await player.goto('https://cells.test/');
  });
  afterAll(async () => {
    await browser?.close();
    await bench?.close();
  });

  /** Null if the upload refuses the cell. */
  const uploaded = (bytes: Buffer): Promise<Stored | null> =>
    stored(bytes).catch((error: unknown) => {
      if (error instanceof UnreadableFileError || error instanceof UnsupportedFormatError) return null;
      throw error;
    });

  /** The cell as it is judged; a sentence if the processor can't decode it. */
  async function judged(cell: RasterCell, { facts, served }: Stored): Promise<Accepted | string> {
    const job = await bench.job(served, { format: facts.format, frames: facts.frames });
    try {
      const source = await openSource(job);
      const frames = await refuseOnFailure(() => framesOf(source));
      return { cell, served, width: source.width, height: source.height, frames };
    } catch (error) {
      if (error instanceof UnprocessableFileError) return `${error.message} ${error.detail ?? ''}`;
      throw error;
    }
  }

  async function framesOf(source: ImageSource): Promise<Pixels[]> {
    if (!source.timing)
      return [await convertToSrgb(await decodeFor(source.extension(false), source, source))];
    const frames: Pixels[] = [];
    for (let frame = 0; frame < source.timing.delay.length; frame++)
      frames.push(await toPixels(openFrame(source.input, frame).ensureAlpha()));
    return frames;
  }

  /** Every frame of an animation as the browser shows it, as RGBA; fewer if it can't decode the rest. */
  async function played({ served, cell }: Accepted): Promise<Pixels[]> {
    const frames = await player.evaluate(
      async ({ data, type }) => {
        const out: { width: number; height: number; pixels: string }[] = [];
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
        const decoder = new ImageDecoder({ data: bytes, type });
        try {
          await decoder.tracks.ready;
          await decoder.completed;
          const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
          for (let frameIndex = 0; frameIndex < count; frameIndex++) {
            const { image } = await decoder.decode({ frameIndex, completeFramesOnly: true });
            const [width, height] = [image.displayWidth, image.displayHeight];
            const context = new OffscreenCanvas(width, height).getContext(
              '2d',
            ) as OffscreenCanvasRenderingContext2D;
            context.drawImage(image, 0, 0);
            image.close();
            const { data: rgba } = context.getImageData(0, 0, width, height);
            out.push({ width, height, pixels: btoa(String.fromCharCode(...rgba)) });
          }
        } catch {
          // The frames until here are what it shows.
        }
        return out;
      },
      { data: served.toString('base64'), type: SHOWN[cell.format] },
    );
    return frames.map(({ width, height, pixels }) => ({
      width,
      height,
      channels: 4,
      data: Buffer.from(pixels, 'base64'),
    }));
  }

  async function compare(all: readonly Accepted[]): Promise<Map<string, string>> {
    const different = new Map<string, string>();
    const note = (cell: RasterCell, what: string): void => {
      if (!different.has(cell.name)) different.set(cell.name, what);
    };
    const stills = all.filter(({ frames }) => frames.length === 1);
    for (let first = 0; first < stills.length; first += BATCH) {
      const batch = stills.slice(first, first + BATCH);
      for (const background of BACKGROUNDS)
        for (const [index, shown] of (await sheet.show(batch.map(addressOf), background)).entries()) {
          const { cell, frames } = batch[index] as Accepted;
          if (!shown.width || !shown.height) note(cell, 'the browser shows nothing');
          else {
            const what = difference(cell, shown.pixels, await flat(frames[0] as Pixels, background));
            if (what) note(cell, `${what} on ${background}`);
          }
        }
    }
    for (const animation of all.filter(({ frames }) => frames.length > 1)) {
      const shown = await played(animation);
      if (shown.length !== animation.frames.length)
        note(animation.cell, `the browser shows ${shown.length} of ${animation.frames.length} frames`);
      for (const [index, frame] of shown.entries()) {
        const own = animation.frames[index];
        if (!own) continue;
        for (const background of BACKGROUNDS) {
          const { cell } = animation;
          const what = difference(cell, await flat(frame, background), await flat(own, background));
          if (what) note(cell, `frame ${index}: ${what} on ${background}`);
        }
      }
    }
    return different;
  }

  // Promise [formats]: Visitors see of a picture what moderation judged, or the picture is refused.
  it.each(suites)('%s shows visitors what is judged, or is refused', async (name, cells) => {
    const [accepted, lost]: [Accepted[], string[]] = [[], []];
    const all = await cells();
    const tried = whoseTurnItIs(all);
    for (const cell of tried) {
      const outcome = await uploaded(cell.bytes);
      const picture = outcome ? await judged(cell, outcome) : 'refused at upload';
      if (typeof picture !== 'string') accepted.push(picture);
      else if (cell.isLegitimate) lost.push(`${cell.name}: ${picture}`);
    }
    counts.set(name, { cells: all.length, tried: tried.length, accepted: accepted.length });
    // Browsers don't show TIFF.
    const different = name === 'TIFF' ? [] : [...(await compare(accepted))];
    expect(lost).toEqual([]);
    expect(different.map(([cell, what]) => `${cell}: ${what}`)).toEqual([]);
  });

  it('has more than 8,000 cells, and half of those that are tried are accepted', () => {
    const sum = (of: 'cells' | 'tried' | 'accepted'): number =>
      [...counts.values()].reduce((total, count) => total + count[of], 0);
    expect(sum('cells')).toBeGreaterThan(8000);
    expect(sum('accepted')).toBeGreaterThan(sum('tried') / 2);
  });
});
