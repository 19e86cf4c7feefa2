import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describeUnless, describeWithChromium, launchChromium, whyFileMissing } from '@vitrine/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { conversionFrom } from '../src/images/from-profile';
import { PNG_SIGNATURE, pngChunk } from '../src/images/png/png-chunks';
import { openStill, restrictLoaders } from '../src/pixels/open-image';
import { toPixels } from '../src/pixels/pixels';
import { inkJpeg, withJpegProfile } from './samples/ink-jpeg';
import { madeProfiles, type SampleProfile } from './samples/made-profiles';
import { stored } from './samples/stored';

const FOLDER = '/usr/share/color/icc';
/** A file of each Debian package with profiles. */
const PACKAGES = [
  ['colord/sRGB.icc', 'colord-data'],
  ['sRGB.icc', 'icc-profiles-free'],
  ['ghostscript/default_cmyk.icc', 'libgs-common'],
] as const;
const missing = PACKAGES.map(([file, name]) => whyFileMissing(join(FOLDER, file), name));

/** Of 255: how far a colour may move. */
const ALIKE = 2;
/** Of the colours of a profile that libvips converts: how many may differ more. They are dark or outside of sRGB. */
const IMPRECISE = 0.03;
/**
 * Chromium ignores curves of grey to lightness, and applies them after the upload. It approximates tables of curves beside
 * primaries by a function, which makes 1 % of the colours differ if primaries that Firefox ignores become a table.
 */
const CHANGED = /^(?:Gray-CIE_L\.icc|(?:not adapted to D50|negative primaries), a table of L\*, version \d)$/;

const SPACES: Readonly<Record<string, { readonly channels: number; readonly levels: readonly number[] }>> = {
  GRAY: { channels: 1, levels: Array.from({ length: 256 }, (_, value) => value) },
  'RGB ': { channels: 3, levels: [0, 8, 32, 64, 96, 128, 160, 192, 224, 248, 255] },
  CMYK: { channels: 4, levels: [0, 64, 128, 192, 255] },
};
const COLUMNS = 48;
/** Pixels of a side of each colour: whole blocks of JPEG. */
const EDGE = 8;

interface Grid {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly data: Buffer;
}

/** Every combination of the levels of a colour space. */
function gridOf(space: string): Grid {
  const { channels, levels } = SPACES[space] ?? { channels: 1, levels: [] };
  const count = levels.length ** channels;
  const [width, height] = [COLUMNS * EDGE, Math.ceil(count / COLUMNS) * EDGE];
  const data = Buffer.alloc(width * height * channels);
  for (let at = 0; at < data.length; at++) {
    const [pixel, channel] = [Math.floor(at / channels), at % channels];
    const colour =
      Math.floor((pixel % width) / EDGE) + COLUMNS * Math.floor(Math.floor(pixel / width) / EDGE);
    data[at] = levels[Math.floor(colour / levels.length ** channel) % levels.length] ?? 0;
  }
  return { width, height, count, data };
}

/** A PNG, or for inks a JPEG, with this profile. */
async function picture(space: string, profile: Buffer): Promise<Buffer> {
  const { width, height, data } = gridOf(space);
  if (space === 'CMYK') return withJpegProfile(await inkJpeg(width, height, data), profile);
  const channels = space === 'GRAY' ? 1 : 3;
  const plain = await sharp(data, { raw: { width, height, channels } })
    .toColourspace(space === 'GRAY' ? 'b-w' : 'srgb')
    .png()
    .toBuffer();
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(profile)]));
  return Buffer.concat([PNG_SIGNATURE, plain.subarray(8, 33), chunk, plain.subarray(33)]);
}

/** The colours in the middle of each square, as red, green and blue. */
function colours(data: Buffer, channels: number, { width, count }: Grid): number[] {
  return Array.from({ length: count * 3 }, (_, at) => {
    const colour = Math.floor(at / 3);
    const [x, y] = [(colour % COLUMNS) * EDGE + EDGE / 2, Math.floor(colour / COLUMNS) * EDGE + EDGE / 2];
    return data[(y * width + x) * channels + (channels < 3 ? 0 : at % 3)] ?? 0;
  });
}

const differences = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((value, at) => Math.abs(value - (other[at] ?? 0)));

/** The real profiles of pictures. */
function realProfiles(): SampleProfile[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.ic[cm]$/i.test(file),
  );
  return files
    .map((file) => ({ name: basename(file), profile: readFileSync(join(FOLDER, file)) }))
    .filter(({ profile }) =>
      /^(?:scnr|mntr|prtr|spac)(?:RGB |GRAY|CMYK)/.test(profile.toString('latin1', 12, 20)),
    );
}

describeUnless(missing.find((why) => why !== null) ?? null, 'profiles of Debian', () => {
  describeWithChromium('and made ones', () => {
    const profiles = [...realProfiles(), ...madeProfiles()];
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      restrictLoaders();
      browser = await launchChromium();
      page = await browser.newPage();
    });
    afterAll(() => browser?.close());

    async function shown(file: Buffer, grid: Grid): Promise<number[]> {
      await page.setViewportSize({ width: grid.width, height: grid.height });
      const type = file[0] === 0xff ? 'jpeg' : 'png';
      const image = `<img src="data:image/${type};base64,${file.toString('base64')}">`;
      await page.setContent(`<style>body{margin:0;line-height:0}</style>${image}`);
      await page.evaluate(() => Promise.all([...document.images].map((one) => one.decode())));
      const { data, info } = await sharp(await page.screenshot())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return colours(data, info.channels, grid);
    }

    /** What is judged of a PNG. */
    async function judged(file: Buffer, grid: Grid): Promise<number[]> {
      const { icc = Buffer.alloc(0), space } = await openStill(file).metadata();
      const isRgb = space === 'srgb';
      const coded = await toPixels(openStill(file, { ignoreIcc: isRgb }));
      const { data, channels } = isRgb ? await conversionFrom(icc)(coded) : coded;
      return colours(data, channels, grid);
    }

    it('are at least 100', () => {
      expect(profiles.length).toBeGreaterThanOrEqual(100);
    });

    // Promise [formats]: Pictures with a profile look in Chromium as before the upload.
    it.each(profiles)(
      'look in Chromium as before the upload, and as judged: $name',
      async ({ name, profile }) => {
        const space = profile.toString('latin1', 16, 20);
        const grid = gridOf(space);
        const sent = await picture(space, profile);
        const { served } = await stored(sent);
        const after = await shown(served, grid);
        expect(served.includes('iCCP') || served.includes('ICC_PROFILE')).toBe(true);
        if (!CHANGED.test(name))
          expect(Math.max(...differences(await shown(sent, grid), after))).toBeLessThanOrEqual(ALIKE);
        if (space === 'CMYK') return;
        const others = differences(await judged(served, grid), after).filter(
          (difference) => difference > ALIKE,
        );
        expect(others.length / after.length).toBeLessThanOrEqual(IMPRECISE);
      },
    );
  });
});
