import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { meanDeltaE, SAME } from '../../test/samples/colours';
import { makeHeic, makeHeif, tilesOfMp4, type HeifTiles } from '../../test/samples/heic';
import { ImageBench } from '../../test/samples/image-bench';
import { coloursOf, metadata, quarters } from '../../test/samples/pictures';
import { FEW_PICTURES } from '../../test/samples/hevc';

describe('HEIC', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  it('converts a HEIC to JPEG, rotated by its own property', async () => {
    const mp4 = await bench.hevc('color=red:s=400x200,drawbox=w=200:h=100:color=blue:t=fill,format=yuv420p');
    const file = makeHeic(mp4, { width: 400, height: 200, turns: 1 });
    const result = await bench.process(file, { format: 'heic' });
    expect(result).toMatchObject({ width: 200, height: 400 });
    expect(result.variant('xl')).toMatchObject({ ext: 'jpg', mime: 'image/jpeg', width: 200, height: 400 });
    // A quarter turn counter-clockwise takes the top left corner to the bottom left.
    expect(await coloursOf(await result.read('xl'))).toBe('rrrb');
    expect(await metadata(result.read('xs'))).toMatchObject({ format: 'jpeg', width: 80, height: 160 });
  });

  it("converts a HEIC's colours to sRGB by its profile", async () => {
    const mp4 = await bench.hevc('color=0x00c800:s=128x128,format=yuv420p');
    const wide = sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } }).withIccProfile(
      'p3',
    );
    const { icc: profile } = await sharp(await wide.tiff().toBuffer()).metadata();
    const green = async (file: Buffer): Promise<number[]> => [
      ...(
        await sharp(await (await bench.process(file, { format: 'heic' })).read('xs'))
          .raw()
          .toBuffer()
      ).subarray(0, 3),
    ];
    const [plainRed = 0, plainGreen = 0] = await green(makeHeic(mp4, { width: 128, height: 128 }));
    const [, wideGreen = 0] = await green(makeHeic(mp4, { width: 128, height: 128, profile }));
    expect(plainRed).toBeLessThan(20);
    expect(Math.abs(plainGreen - 200)).toBeLessThan(12);
    // The same numbers mean a stronger green in P3.
    expect(wideGreen).toBeGreaterThan(plainGreen + 3);
  });

  const mean = async (file: Buffer): Promise<number[]> =>
    (await sharp(file).stats()).channels.map((channel) => Math.round(channel.mean));

  it.each([true, false])('is rotated and mirrored by its properties, with ffmpeg: %s', async (withFfmpeg) => {
    const picture = await (await quarters(128, 64)).png().toBuffer();
    const path = join(bench.files.folder, 'quarters.png');
    await writeFile(path, picture);
    const mp4 = await readFile(
      bench.files.make(
        'quarters.mp4',
        ...['-i', path, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', '-c:v', 'libx265'],
        ...['-x265-params', `crf=4:${FEW_PICTURES}:info=0`],
      ),
    );
    for (const turns of [0, 1, 2, 3]) {
      for (const mirror of [undefined, 'rows', 'columns'] as const) {
        const file = makeHeic(mp4, { width: 128, height: 64, turns, ...(mirror ? { mirror } : {}) });
        const made = await bench.process(file, { format: 'heic', withFfmpeg });
        let expected = sharp(
          await sharp(picture)
            .rotate(360 - turns * 90)
            .png()
            .toBuffer(),
        );
        if (mirror === 'rows') expected = expected.flip();
        if (mirror === 'columns') expected = expected.flop();
        const upright = await expected
          .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
          .removeAlpha()
          .raw()
          .toBuffer();
        const shown = await sharp(await made.read('xl'))
          .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
          .raw()
          .toBuffer();
        const letters = (pixels: Buffer): string =>
          [...pixels].map((value) => (value > 127 ? '1' : '0')).join('');
        expect([turns, mirror, letters(shown)]).toEqual([turns, mirror, letters(upright)]);
      }
    }
  });

  it('joins the tiles of a grid in order, and crops them to the size of the picture', async () => {
    const parts = [];
    for (const colour of ['0xff0000', '0x00ff00', '0xffffff', '0x0000ff'])
      parts.push(tilesOfMp4(await bench.hevc(`color=${colour}:s=64x64`), { tileWidth: 64, tileHeight: 64 }));
    const [first] = parts;
    if (!first) throw new Error('No tile');
    const grid = { ...first, columns: 2, tiles: parts.flatMap(({ tiles: own }) => own) };
    const made = await bench.process(makeHeif(grid, { width: 100, height: 90 }), { format: 'heic' });
    expect(made).toMatchObject({ width: 100, height: 90 });
    const { data } = await sharp(await made.read('xl'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): string =>
      [...data.subarray((y * 100 + x) * 3, (y * 100 + x) * 3 + 3)].map((v) => (v > 127 ? 1 : 0)).join('');
    expect([at(60, 60), at(68, 60), at(60, 68), at(68, 68), at(99, 89)]).toEqual([
      '100',
      '010',
      '111',
      '001',
      '001',
    ]);
  });

  it('keeps its transparency', async () => {
    const tile = { tileWidth: 128, tileHeight: 128 };
    const alpha = tilesOfMp4(
      await readFile(
        bench.files.make(
          'alpha.mp4',
          ...['-f', 'lavfi', '-i', 'color=black:s=128x128,drawbox=w=64:h=128:color=white:t=fill,format=gray'],
          ...['-frames:v', '1', '-vf', 'scale=out_range=pc,format=gray', '-color_range', 'pc'],
          ...['-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', `range=full:${FEW_PICTURES}:info=0`],
        ),
      ),
      tile,
    );
    const colours = tilesOfMp4(await bench.hevc('color=0xc03020:s=128x128'), tile);
    const made = await bench.process(makeHeif(colours, { width: 128, height: 128, alpha }), {
      format: 'heic',
    });
    const { data, info } = await sharp(await made.read('xl'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect([data[(64 * 128 + 20) * 4 + 3], data[(64 * 128 + 100) * 4 + 3]]).toEqual([255, 0]);
  });

  it.each([
    ['with ffmpeg', true],
    ['without ffmpeg', false],
  ])('divides premultiplied colours by their alpha: %s', async (_, withFfmpeg) => {
    const tile = { tileWidth: 192, tileHeight: 192 };
    const plane = async (colour: string): Promise<HeifTiles> =>
      tilesOfMp4(await bench.hevc(`color=${colour}:s=192x192`), tile);
    // Half of 200, 100 and 40. Grey of limited range means the same in full range: 16 to 235 is 0 to 255.
    const [colours, alpha] = [await plane('0x643214'), await plane('0x808080')];
    const file = makeHeif(colours, { width: 192, height: 192, alpha, isPremultiplied: true });
    const made = await bench.process(file, { format: 'heic', withFfmpeg });
    const { data } = await sharp(await made.read('xs'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [red = 0, green = 0, blue = 0, coverage = 0] = data;
    expect(Math.abs(coverage - 128)).toBeLessThan(6);
    expect(meanDeltaE([[red, green, blue]], [[200, 100, 40]])).toBeLessThan(4);
  });

  it('decodes 48 megapixels in tiles', async () => {
    const tile = await bench.hevc('color=0x3070b0:s=672x672');
    const grid = tilesOfMp4(tile, { tileWidth: 672, tileHeight: 672 }, { count: 12 * 9, columns: 12 });
    const made = await bench.process(makeHeif(grid, { width: 8064, height: 6048 }), { format: 'heic' });
    expect(made).toMatchObject({ width: 8064, height: 6048 });
    const [r = 0, g = 0, b = 0] = await mean(await made.read('xl'));
    expect(meanDeltaE([[r, g, b]], [[0x30, 0x70, 0xb0]])).toBeLessThan(SAME);
  });

  it.each<[string, () => Promise<Buffer>]>([
    [
      'a tile that is larger than its file says',
      async () => makeHeic(await bench.hevc('color=red:s=1280x1280'), { width: 64, height: 64 }),
    ],
    [
      'a unit that ends outside of its tile',
      async () => {
        const tiles = tilesOfMp4(await bench.hevc('testsrc=s=64x64'), { tileWidth: 64, tileHeight: 64 });
        const [coded = Buffer.alloc(0)] = tiles.tiles;
        return makeHeif({ ...tiles, tiles: [coded.subarray(0, -3)] }, { width: 64, height: 64 });
      },
    ],
    [
      'a tile of noise',
      async () => {
        const tiles = tilesOfMp4(await bench.hevc('testsrc=s=64x64'), { tileWidth: 64, tileHeight: 64 });
        const noise = Buffer.alloc(400, 0xa5);
        noise.writeUInt32BE(396, 0);
        return makeHeif({ ...tiles, tiles: [noise] }, { width: 64, height: 64 });
      },
    ],
  ])('is refused with %s', async (_, make) => {
    await expect(bench.process(await make(), { format: 'heic' })).rejects.toThrow(
      /could not be decoded|too many pixels/,
    );
  });
});
