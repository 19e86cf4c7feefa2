import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { CELL, type CodedCell, quarterPixels, quartersOf } from './coded-cell';
import { bodyOf, box, type SampleItem, text, u16, u32, u8, writeHeif } from './heic';

const SEQUENCE = join(__dirname, '../../../../libs/formats/test/samples/sequence.avif');

interface Coded {
  readonly configuration: Buffer;
  readonly bytes: Buffer;
}

const coded = async (picture: sharp.Sharp, options: sharp.AvifOptions = {}): Promise<Coded> => {
  const file = await picture
    .avif({ quality: 90, chromaSubsampling: '4:4:4', effort: 0, ...options })
    .toBuffer();
  return { configuration: bodyOf(file, 'av1C'), bytes: bodyOf(file, 'mdat') };
};

const size = (width: number = CELL.width, height: number = CELL.height): Buffer =>
  box('ispe', u32(0, width, height));
const depth = (...bits: number[]): Buffer => box('pixi', u32(0), u8(bits.length, ...bits));
const points = (primaries: number, transfer: number, matrix: number, range = 1): Buffer =>
  box('colr', text('nclx'), u16(primaries, transfer, matrix), u8(range << 7));
const rotation = (quarters: number): Buffer => box('irot', u8(quarters));
const mirror = (axis: number): Buffer => box('imir', u8(axis));
const crop = (width: number, height: number, right: number, down: number): Buffer =>
  box('clap', u32(width, 1, height, 1, right >>> 0, 2, down >>> 0, 2));
const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';
const role = (type: string, rest = '\0'): Buffer => box('auxC', u32(0), text(type + rest));
const reference = (type: string, from: number, ...to: number[]): Buffer =>
  box(type, u16(from, to.length, ...to));

const item = ({ configuration, bytes }: Coded, isHidden: boolean, ...properties: Buffer[]): SampleItem => ({
  type: 'av01',
  bytes,
  properties: [box('av1C', configuration), ...properties],
  isHidden,
});

/** AVIF files with one peculiarity each. Those of HDR are missing: each browser maps their light in its own way. */
export async function avifCells(): Promise<CodedCell[]> {
  const colours = await coded(quartersOf(false));
  const deep = await coded(quartersOf(false), { bitdepth: 10 });
  const grey = await coded(sharp(await quartersOf(false).greyscale().png().toBuffer()));
  const pixels = quarterPixels(true);
  const levels = Buffer.from(
    Array.from({ length: CELL.width * CELL.height }, (_, at) => pixels[at * 4 + 3] ?? 0),
  );
  const plane = (values: Buffer): sharp.Sharp =>
    sharp(values, { raw: { ...CELL, channels: 1 } }).toColourspace('b-w');
  const alpha = await coded(plane(levels));
  const other = await coded(plane(Buffer.alloc(levels.length, 90)));
  const still = (coding: Coded, ...properties: Buffer[]): Buffer =>
    writeHeif('avif', [item(coding, false, size(), depth(8, 8, 8), ...properties)], []);
  const translucent = (
    own: readonly Buffer[],
    alphas: readonly (readonly [Coded, ...Buffer[]])[],
    ...references: readonly Buffer[]
  ): Buffer =>
    writeHeif(
      'avif',
      [
        item(colours, false, size(), depth(8, 8, 8), ...own),
        ...alphas.map(([one, ...properties]) => item(one, true, size(), depth(8), ...properties)),
      ],
      references,
    );
  const turns = { rotation: rotation(1), half: rotation(2), rows: mirror(0), columns: mirror(1) };
  const auxiliary = reference('auxl', 2, 1);
  const cells: [string, Buffer][] = [
    ['plain', still(colours)],
    ['deep', still(deep)],
    ['grey', still(grey)],
    ...Object.entries(turns).flatMap(([first, one]): [string, Buffer][] => [
      [`${first}`, still(colours, one)],
      [`${first} and crop`, still(colours, one, crop(20, 20, 0, 0))],
      [`crop and ${first}`, still(colours, crop(20, 20, 0, 0), one)],
      ...Object.entries(turns).flatMap(([second, two]): [string, Buffer][] => [
        [`${first}, ${second}`, still(colours, one, two)],
        [`${first}, ${second}, rotation`, still(colours, one, two, turns.rotation)],
        [
          `${first}, ${second}, and the transparency alike`,
          translucent([one, two], [[alpha, role(ALPHA), one, two]], auxiliary),
        ],
        [
          `${first}, ${second}, and the transparency not`,
          translucent([one, two], [[alpha, role(ALPHA)]], auxiliary),
        ],
      ]),
      [`${first} of the transparency alone`, translucent([], [[alpha, role(ALPHA), one]], auxiliary)],
    ]),
    ['a rotation with reserved bits', still(colours, rotation(0xfd))],
    ['a crop in the middle', still(colours, crop(24, 16, 0, 0))],
    ['a crop at the corner', still(colours, crop(24, 16, -24, -16))],
    ['a crop to nothing', still(colours, crop(0, 16, 0, 0))],
    ...[
      ALPHA,
      'urn:mpeg:hevc:2015:auxid:1',
      'urn:mpeg:avc:2015:auxid:1',
      'urn:mpeg:hevc:2015:auxid:2',
      `${ALPHA}s`,
      '',
    ].flatMap((type): [string, Buffer][] => [
      [`transparency of the type “${type}”`, translucent([], [[alpha, role(type)]], auxiliary)],
      [
        `transparency of the type “${type}”, with more`,
        translucent([], [[alpha, role(type, '\0abc')]], auxiliary),
      ],
      [
        `transparency of the type “${type}”, without an end`,
        translucent([], [[alpha, role(type, '')]], auxiliary),
      ],
      [
        `premultiplied with “${type}”`,
        translucent([], [[alpha, role(type)]], auxiliary, reference('prem', 1, 2)),
      ],
      [
        `“${type}”, then another`,
        translucent(
          [],
          [
            [other, role(type)],
            [alpha, role(ALPHA)],
          ],
          auxiliary,
          reference('auxl', 3, 1),
        ),
      ],
      [
        `another, then “${type}”`,
        translucent(
          [],
          [
            [alpha, role(ALPHA)],
            [other, role(type)],
          ],
          auxiliary,
          reference('auxl', 3, 1),
        ),
      ],
    ]),
    [
      'premultiplied from the transparency',
      translucent([], [[alpha, role(ALPHA)]], auxiliary, reference('prem', 2, 1)),
    ],
    [
      'two transparencies in other order',
      translucent(
        [],
        [
          [other, role(ALPHA)],
          [alpha, role(ALPHA)],
        ],
        reference('auxl', 3, 1),
        auxiliary,
      ),
    ],
    [
      'premultiplied with the second',
      translucent(
        [],
        [
          [other, role(ALPHA)],
          [alpha, role(ALPHA)],
        ],
        auxiliary,
        reference('auxl', 3, 1),
        reference('prem', 1, 3),
      ),
    ],
    [
      'transparency of transparency',
      translucent(
        [],
        [
          [alpha, role(ALPHA)],
          [other, role(ALPHA)],
        ],
        auxiliary,
        reference('auxl', 3, 2),
      ),
    ],
    ['transparency without a role', translucent([], [[alpha]], auxiliary)],
    ['transparency with two roles', translucent([], [[alpha, role(''), role(ALPHA)]], auxiliary)],
    ['a picture with a role', still(colours, role(ALPHA))],
    ['transparency of three channels', translucent([], [[colours, role(ALPHA)]], auxiliary)],
    [
      'transparency of 10 bits',
      translucent([], [[await coded(plane(levels), { bitdepth: 10 }), role(ALPHA)]], auxiliary),
    ],
    ...[
      'a1op',
      'lsel',
      'a1lx',
      'abcd',
      'iscl',
      'rref',
      'crtt',
      'clli',
      'mdcv',
      'cclv',
      'amve',
      'ndwt',
      'pasp',
    ].map((type): [string, Buffer] => [`the property ${type}`, still(colours, box(type, Buffer.alloc(24)))]),
    ['two sizes', still(colours, size(10, 10))],
    ['a size of other pixels', writeHeif('avif', [item(colours, false, size(40, 30))], [])],
    ['a cut size', writeHeif('avif', [item(colours, false, box('ispe', u32(0, CELL.width)))], [])],
    ['no size', writeHeif('avif', [item(colours, false)], [])],
    ['no depth', writeHeif('avif', [item(colours, false, size())], [])],
    ...[[8], [8, 8], [10, 10, 10], [8, 8, 8, 8], []].map((bits): [string, Buffer] => [
      `depths ${bits.join()}`,
      writeHeif('avif', [item(colours, false, size(), depth(...bits))], []),
    ]),
    ['two depths', still(colours, depth(1))],
    ...[0, 1, 2, 3].flatMap((at) =>
      [1, 0x10, 0x40, 0x80].map((bit): [string, Buffer] => {
        const configuration = Buffer.from(colours.configuration);
        configuration[at] = (configuration[at] ?? 0) ^ bit;
        return [`a configuration with byte ${at} changed by ${bit}`, still({ ...colours, configuration })];
      }),
    ),
    [
      'a longer configuration',
      still({ ...colours, configuration: Buffer.concat([colours.configuration, Buffer.alloc(9, 1)]) }),
    ],
    ['a picture twice', still({ ...colours, bytes: Buffer.concat([colours.bytes, grey.bytes]) })],
    [
      'trailing bytes in a picture',
      still({ ...colours, bytes: Buffer.concat([colours.bytes, Buffer.alloc(40)]) }),
    ],
    ...[0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22, 200].map((primaries): [string, Buffer] => [
      `primaries ${primaries}`,
      still(colours, points(primaries, 13, 6)),
    ]),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19].flatMap(
      (transfer): [string, Buffer][] => [
        [`transfer ${transfer}`, still(colours, points(1, transfer, 6))],
        [`transfer ${transfer} in 10 bits`, still(deep, points(1, transfer, 1))],
      ],
    ),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].flatMap((matrix): [string, Buffer][] => [
      [`matrix ${matrix}`, still(colours, points(1, 13, matrix))],
      [`matrix ${matrix}, limited`, still(colours, points(1, 13, matrix, 0))],
      [`grey with matrix ${matrix}`, still(grey, points(1, 13, matrix))],
    ]),
    ['grey with limited range', still(grey, points(1, 13, 6, 0))],
    ['cut colours', still(colours, box('colr', text('nclx'), u16(9, 16)))],
    ['colours of QuickTime', still(colours, box('colr', text('nclc'), u16(9, 16, 9)))],
    ['colours twice', still(colours, points(1, 13, 6), points(9, 16, 9))],
  ];
  const sequence = await readFile(SEQUENCE);
  const turned = (...matrix: number[]): Buffer => {
    const file = Buffer.from(sequence);
    // The matrix of each track (ISO/IEC 14496-12, 8.3.2), in version 0 or 1.
    for (let at = file.indexOf('tkhd'); at >= 0; at = file.indexOf('tkhd', at + 1))
      matrix.forEach((value, place) =>
        file.writeInt32BE(value, at + (file[at + 4] === 1 ? 56 : 44) + place * 4),
      );
    return file;
  };
  const [one, whole] = [0x10000, 0x40000000];
  cells.push(
    ['sequence', sequence],
    ['sequence, rotated', turned(0, one, 0, -one, 0, 0, 0, 0, whole)],
    ['sequence, upside down', turned(-one, 0, 0, 0, -one, 0, 0, 0, whole)],
    ['sequence, mirrored', turned(-one, 0, 0, 0, one, 0, 0, 0, whole)],
    ['sequence, halved', turned(one / 2, 0, 0, 0, one / 2, 0, 0, 0, whole)],
  );
  return cells.map(([name, file]) => ({ name: `AVIF: ${name}`, format: 'avif', file }));
}
