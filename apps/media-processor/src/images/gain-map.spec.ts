import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { inspect, lightToSrgb, MemorySource, readRewritten, srgbToLight } from '@vitrine/formats';
import { HEIGHT, SEEN, useBannedPicture, WIDTH } from '../../test/samples/banned-picture';
import { makeHeif, tilesOfAvif, tilesOfMp4, type HeifTiles } from '../../test/samples/heic';
import { withGainMap } from '../../test/samples/ultra-hdr';
import { FEW_PICTURES } from '../../test/samples/hevc';

describe('a banned picture in a gain map', () => {
  const pictures = useBannedPicture();
  const { judge } = pictures;

  const jpegOf = (pixels: Uint8Array): Promise<Buffer> =>
    sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .jpeg({ quality: 97, chromaSubsampling: '4:4:4' })
      .toBuffer();

  it.each([
    ['upright', 1, 0],
    ['turned by its Exif', 6, 270],
  ])('is seen as the gain map of a dark JPEG: %s', async (_, orientation, angle) => {
    const map = await sharp(pictures.banned).removeAlpha().rotate(angle).jpeg({ quality: 97 }).toBuffer();
    const { width, height } = await sharp(map).metadata();
    const dark = sharp({ create: { width, height, channels: 3, background: '#141414' } });
    const file = withGainMap(await dark.withMetadata({ orientation }).jpeg().toBuffer(), map, {
      min: 0,
      max: 4,
    });
    expect(await judge(file, { format: 'jpeg', ext: 'jpg' })).toEqual(SEEN);
  });

  it('is seen in a JPEG that shows it only together with its gain map', async () => {
    const [shown, hidden] = await Promise.all(
      [pictures.innocent, pictures.banned].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
    );
    const light = (code: number): number => (code / 255) ** 2.2;
    const base = Uint8Array.from(shown ?? [], (code) => 90 + code / 4);
    // The logarithm of the factor that turns one picture into the other one, at four times its light.
    const map = Uint8Array.from(base, (code, at) => {
      const stops = Math.log2((4 * light(40 + ((hidden?.[at] ?? 0) * 215) / 255)) / light(code));
      return Math.min(255, Math.max(0, ((stops + 4) / 8) * 255));
    });
    const file = withGainMap(await jpegOf(base), await jpegOf(map), { min: -4, max: 4 });
    expect(await judge(file, { format: 'jpeg', ext: 'jpg' })).toEqual(SEEN);
  });

  it.each([0.5, 0.35, 0.25])(
    'is seen in a JPEG that shows it at %d of the map’s strength',
    async (strength) => {
      const [shown, hidden] = await Promise.all(
        [pictures.innocent, pictures.banned].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
      );
      const light = (code: number): number => srgbToLight(code / 255);
      const base = Uint8Array.from(shown ?? [], (code) => 90 + code / 4);
      const map = Uint8Array.from(base, (code, at) => {
        const stops = Math.log2(light(70 + ((hidden?.[at] ?? 0) * 120) / 255) / light(code)) / strength;
        return Math.min(255, Math.max(0, ((stops + 8) / 16) * 255));
      });
      const file = withGainMap(await jpegOf(base), await jpegOf(map), { min: -8, max: 8 });
      expect(await judge(file, { format: 'jpeg', ext: 'jpg' })).toEqual(SEEN);
    },
  );

  it('is not looked for in a map without tables, which an upload loses', async () => {
    const map = await jpegOf(await sharp(pictures.innocent).removeAlpha().raw().toBuffer());
    // Its tables of quantisation are gone.
    map[map.indexOf(Buffer.from([0xff, 0xdb])) + 1] = 0xdd;
    const file = withGainMap(await jpegOf(new Uint8Array(WIDTH * HEIGHT * 3).fill(20)), map, {
      min: 0,
      max: 2,
    });
    expect(await judge(file, { format: 'jpeg', ext: 'jpg' })).toEqual({
      ...{ hashed: false, judged: false, fullySeen: true },
    });
    const { rewrite } = await inspect(new MemorySource(file));
    expect((await readRewritten(new MemorySource(file), rewrite)).length).toBeLessThan(
      file.length - map.length,
    );
  });

  describe('a HEIC with a gain map of Apple', () => {
    const size = { width: WIDTH, height: HEIGHT };
    const media = { format: 'heic' };
    const dark = new Uint8Array(WIDTH * HEIGHT * 3).fill(20);

    const coded = async (pixels: Uint8Array, { width, height } = size): Promise<HeifTiles> => {
      const path = join(pictures.bench.folder, 'pixels.png');
      await sharp(pixels, { raw: { width, height, channels: 3 } }).toFile(path);
      const mp4 = pictures.bench.make(
        'pixels.mp4',
        ...['-i', path, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', '-c:v', 'libx265'],
        ...['-x265-params', `crf=4:${FEW_PICTURES}:info=0`],
      );
      return tilesOfMp4(await readFile(mp4), { tileWidth: width, tileHeight: height });
    };

    it.each([
      ['with ffmpeg', 0, true],
      ['turned by its property', 1, true],
      ['without ffmpeg', 3, false],
    ])('is seen as its map: %s', async (_, turns, withFfmpeg) => {
      const turned = sharp(pictures.banned).rotate(turns * 90);
      const { data, info } = await turned.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const gainMap = { tiles: await coded(data, info), headroom: 8 };
      const { width, height } = info;
      const file = makeHeif(await coded(dark, info), { width, height, turns, gainMap });
      expect(await judge(file, media, withFfmpeg)).toEqual(SEEN);
    });

    it('is seen if only the picture and its map together show it', async () => {
      const [shown, hidden] = await Promise.all(
        [pictures.innocent, pictures.banned].map(async (png) => {
          const grey = await sharp(png).greyscale().removeAlpha().raw().toBuffer();
          return Uint8Array.from({ length: grey.length * 3 }, (_, at) => grey[Math.floor(at / 3)] ?? 0);
        }),
      );
      const light = (code: number): number => srgbToLight((70 + code * 0.72) / 255);
      const base = Uint8Array.from(shown ?? [], (code) => 70 + code * 0.72);
      const map = Uint8Array.from(shown ?? [], (code, at) => {
        const factor = (16 * light(hidden?.[at] ?? 0)) / light(code);
        return lightToSrgb(Math.min(1, Math.max(0, (factor - 1) / 255)));
      });
      const file = makeHeif(await coded(base), {
        ...size,
        gainMap: { tiles: await coded(map), headroom: 256 },
      });
      expect(await judge(file, media)).toEqual(SEEN);
    });

    it('leaves a map that can’t be decoded to a moderator', async () => {
      const tiles = await coded(dark);
      const noise = Buffer.alloc(400, 0xa5);
      noise.writeUInt32BE(396, 0);
      const file = makeHeif(tiles, {
        ...size,
        gainMap: { tiles: { ...tiles, tiles: [noise] }, headroom: 8 },
      });
      expect(await judge(file, media)).toEqual({ hashed: false, judged: false, fullySeen: false });
    });
  });

  it('is seen as the map that a tmap item of a dark AVIF applies', async () => {
    const size = { tileWidth: WIDTH, tileHeight: HEIGHT };
    const tiles = async (picture: sharp.Sharp): Promise<HeifTiles> =>
      tilesOfAvif(await picture.removeAlpha().avif({ quality: 90, effort: 0 }).toBuffer(), size);
    const dark = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#141414' } });
    const toneMap = { tiles: await tiles(sharp(pictures.banned)), stops: 4 };
    const file = makeHeif(await tiles(dark), { width: WIDTH, height: HEIGHT, turns: 2, toneMap });
    expect((await judge(file, { format: 'avif' })).fullySeen).toBe(true);
    const upright = makeHeif(await tiles(dark), { width: WIDTH, height: HEIGHT, toneMap });
    expect(await judge(upright, { format: 'avif' })).toEqual(SEEN);
  });
});
