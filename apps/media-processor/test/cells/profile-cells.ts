import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { animation } from './apng-cells';
import { bmp } from './bmp-cells';
import { gif } from './gif-cells';
import { before, file, parts, u32, type Part, type PngShape } from './png-builder';
import { neighbours, type Pair, type RasterCell } from './raster-cell';

/** Colour profiles that libvips brings, in the order of how far they are from sRGB. */
const PROFILES = ['srgb', 'p3', 'cmyk'] as const;

async function profileNamed(name: (typeof PROFILES)[number]): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } });
  const made = name === 'cmyk' ? picture.toColourspace('cmyk') : picture;
  const { icc } = await sharp(await made.withIccProfile(name).jpeg().toBuffer()).metadata();
  if (!icc) throw new Error(`No profile ${name}`);
  return icc;
}

const SHAPES: readonly PngShape[] = [
  { type: 0, depth: 8 },
  { type: 2, depth: 8 },
  { type: 2, depth: 16 },
  { type: 3, depth: 8 },
  { type: 6, depth: 8 },
];

const subBlocks = (data: Buffer): Buffer => {
  const out: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    out.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...out, Buffer.of(0)]);
};

/** Colour profiles, and other definitions of colours, in stills and animations. */
export async function profileCells(): Promise<RasterCell[]> {
  const [pngs, bmps, gifs]: [Pair[], Pair[], Pair[]] = [[], [], []];
  const definitions: [string, Part[]][] = [
    ['gamma of 0.25', [['gAMA', u32(25_000)]]],
    ['gamma of 1', [['gAMA', u32(100_000)]]],
    ['cICP of P3', [['cICP', Buffer.of(12, 13, 0, 1)]]],
    ['cICP of BT.2020 with a gamma of 2.2', [['cICP', Buffer.of(9, 4, 0, 1)]]],
    [
      'gamma and points of P3',
      [
        ['gAMA', u32(45_455)],
        ['cHRM', u32(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000)],
      ],
    ],
  ];
  for (const name of PROFILES) {
    const profile = await profileNamed(name);
    const chunk: Part = ['iCCP', Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)])];
    definitions.push([`profile ${name}`, [chunk]]);
    definitions.push([`profile ${name} and gamma`, [chunk, ['gAMA', u32(100_000)]]]);
    definitions.push([`profile ${name} and sRGB`, [['sRGB', Buffer.of(0)], chunk]]);
    definitions.push([`profile ${name} and cICP`, [chunk, ['cICP', Buffer.of(12, 13, 0, 1)]]]);
    const plain = bmp({ header: 124, colourSpace: 0x4d424544 });
    plain.writeUInt32LE(plain.length - 14, 14 + 112);
    plain.writeUInt32LE(profile.length, 14 + 116);
    bmps.push([`profile ${name}`, Buffer.concat([plain, profile])]);
    const application = Buffer.concat([Buffer.from('\x21\xff\x0bICCRGBG1012', 'latin1'), subBlocks(profile)]);
    gifs.push([`profile ${name}`, gif([{ control: application }])]);
    gifs.push([`profile ${name}, animated`, gif([{ control: application }, { shift: 4 }])]);
  }
  const calibrated = bmp({ header: 108, colourSpace: 0 });
  for (const [index, value] of [0x28f5c28f, 0x147ae147, 0, 0x10000000].entries())
    calibrated.writeUInt32LE(value, 14 + 60 + 4 * index);
  calibrated.fill(1, 14 + 96, 14 + 108);
  bmps.push(['calibrated colours', calibrated]);
  for (const [name, added] of definitions)
    for (const shape of SHAPES) {
      const what = `type ${shape.type}, ${shape.depth} bits, ${name}`;
      const first = shape.type === 3 ? 'PLTE' : 'IDAT';
      pngs.push([what, file(before(parts(shape), first, ...added))]);
      pngs.push([`animation of ${what}`, file(before(animation({ shape }), 'acTL', ...added))]);
    }
  return [...neighbours('png', pngs), ...neighbours('bmp', bmps), ...neighbours('gif', gifs)];
}
