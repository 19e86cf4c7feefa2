import sharp from 'sharp';
import { asciiBytes } from '../../bytes/text';
import {
  UnreadableFileError,
  UnsupportedFormatError,
  UnsupportedVariantError,
} from '../../errors/file-errors';
import { scrub } from '../../testing/scrub';
import { inspectTiff } from './tiff';

type Tag = readonly [tag: number, type: number, values: readonly number[]];
const [ASCII, SHORT, LONG] = [2, 3, 4];

/** A little-endian TIFF of pages of 2 × 2 grey pixels. The values of the tags are stored in the entries. */
function tiff(pages: readonly (readonly Tag[])[], loop = false): Buffer {
  const pixelsAt = 8;
  const bytes = [Buffer.from('II*\0\0\0\0\0', 'latin1'), Buffer.from([1, 2, 3, 4])];
  let at = 12;
  bytes[0]?.writeUInt32LE(at, 4);
  pages.forEach((extra, page) => {
    const tags: Tag[] = [
      [256, SHORT, [2]],
      [257, SHORT, [2]],
      [258, SHORT, [8]],
      [259, SHORT, [1]],
      [262, SHORT, [1]],
      [273, LONG, [pixelsAt]],
      [277, SHORT, [1]],
      [278, SHORT, [2]],
      [279, LONG, [4]],
    ];
    const all = [...tags.filter(([tag]) => !extra.some(([other]) => other === tag)), ...extra].sort(
      (a, b) => a[0] - b[0],
    );
    const directory = Buffer.alloc(2 + all.length * 12 + 4);
    directory.writeUInt16LE(all.length, 0);
    all.forEach(([tag, type, values], i) => {
      directory.writeUInt16LE(tag, 2 + i * 12);
      directory.writeUInt16LE(type, 4 + i * 12);
      directory.writeUInt32LE(values.length, 6 + i * 12);
      values.forEach((value, k) => {
        if (type === LONG) directory.writeUInt32LE(value, 10 + i * 12 + k * 4);
        else if (type === SHORT) directory.writeUInt16LE(value, 10 + i * 12 + k * 2);
        else directory.writeUInt8(value, 10 + i * 12 + k);
      });
    });
    const isLast = page === pages.length - 1;
    directory.writeUInt32LE(isLast ? (loop ? 12 : 0) : at + directory.length, directory.length - 4);
    bytes.push(directory);
    at += directory.length;
  });
  return Buffer.concat(bytes);
}

describe('inspectTiff', () => {
  it('reads pages, and stops if they lead back to the first', async () => {
    for (const loop of [false, true]) {
      const { facts, scrubbed } = await scrub(inspectTiff, tiff([[], [], []], loop));
      expect(facts).toMatchObject({ width: 2, height: 2, frames: 3 });
      expect((await sharp(scrubbed).metadata()).pages).toBe(3);
    }
  });

  it('stores pixels that pages share once', async () => {
    const { scrubbed } = await scrub(inspectTiff, tiff([[], []]));
    expect(Buffer.from(scrubbed).indexOf(Buffer.from([1, 2, 3, 4]))).toBe(
      Buffer.from(scrubbed).lastIndexOf(Buffer.from([1, 2, 3, 4])),
    );
  });

  it('removes reduced pictures, except if there is no other', async () => {
    const thumbnail: Tag[] = [[254, LONG, [1]]];
    expect((await scrub(inspectTiff, tiff([[], thumbnail]))).facts.frames).toBe(1);
    expect((await scrub(inspectTiff, tiff([[], [[255, SHORT, [2]]]]))).facts.frames).toBe(1);
    expect((await scrub(inspectTiff, tiff([thumbnail]))).facts.frames).toBe(1);
  });

  it('removes texts, even under the number of a kept tag', async () => {
    const { scrubbed } = await scrub(
      inspectTiff,
      tiff([
        [
          [315, ASCII, [...asciiBytes('Ann')]],
          [297, ASCII, [...asciiBytes('Bob')]],
        ],
      ]),
    );
    expect(Buffer.from(scrubbed).toString('latin1')).not.toMatch(/Ann|Bob/);
  });

  it.each([
    ['a DNG', [[50706, 1, [1, 4, 0, 0]]]],
    ['sensor data', [[262, SHORT, [32803]]]],
    ["Nikon's compression", [[259, SHORT, [34713]]]],
    ['JPEG of the old kind', [[259, SHORT, [6]]]],
  ] as [string, Tag[]][])('does not accept %s', async (_, tags) => {
    await expect(scrub(inspectTiff, tiff([tags]))).rejects.toThrow(UnsupportedFormatError);
  });

  const undecodable: [string, Tag[]][] = [
    ['TIFF with 32-bit integers is not supported.', [[258, SHORT, [32]]]],
    [
      'TIFF with 16-bit floating point is not supported.',
      [
        [258, SHORT, [16]],
        [339, SHORT, [3]],
      ],
    ],
    [
      'TIFF with complex numbers is not supported.',
      [
        [258, SHORT, [64]],
        [339, SHORT, [6]],
      ],
    ],
    ['TIFF with 12 bits in each of 1 channels is not supported.', [[258, SHORT, [12]]]],
    [
      'TIFF with 4 bits in each of 2 channels is not supported.',
      [
        [258, SHORT, [4, 4]],
        [277, SHORT, [2]],
      ],
    ],
    ['TIFF in Lab colours is not supported.', [[262, SHORT, [8]]]],
    ['TIFF with the photometric interpretation 4 is not supported.', [[262, SHORT, [4]]]],
    ['TIFF with LZMA compression is not supported.', [[259, SHORT, [34925]]]],
    ['TIFF with the compression 4 is not supported.', [[259, SHORT, [4]]]],
    ['TIFF in RGB with 1 channels is not supported.', [[262, SHORT, [2]]]],
    [
      'TIFF with channels of different depths is not supported.',
      [
        [258, SHORT, [8, 16]],
        [277, SHORT, [2]],
      ],
    ],
    ['TIFF in grey with 6 channels is not supported.', [[277, SHORT, [6]]]],
    ['TIFF without a photometric interpretation is not supported.', [[262, ASCII, []]]],
    [
      'TIFF with tiles in separate planes is not supported.',
      [
        [277, SHORT, [2]],
        [284, SHORT, [2]],
        [324, LONG, [8]],
        [325, LONG, [4]],
      ],
    ],
  ];

  // Promise [formats]: A file that can’t be decoded is refused by name at upload if its headers show that.
  it.each(undecodable)('refuses by name: %s', async (message, tags) => {
    await expect(scrub(inspectTiff, tiff([tags]))).rejects.toThrow(new UnsupportedVariantError(message));
  });

  it.each(undecodable)('removes such a page after the first: %s', async (_, tags) => {
    const { facts, scrubbed } = await scrub(inspectTiff, tiff([[], tags]));
    expect(facts.frames).toBe(1);
    expect((await sharp(scrubbed).metadata()).pages).toBe(1);
  });

  it.each([
    ['in its header', 2],
    ['in its directory', 20],
  ])('refuses pixels %s', async (_, at) => {
    await expect(scrub(inspectTiff, tiff([[[273, LONG, [at]]]]))).rejects.toThrow(
      'TIFF with pixels inside of its tables is not supported.',
    );
  });

  it('writes strips that overlap one after the other', async () => {
    const file = tiff([
      [
        [273, LONG, [8]],
        [278, SHORT, [2]],
        [279, LONG, [4]],
      ],
      [
        [257, SHORT, [1]],
        [273, LONG, [9]],
        [279, LONG, [2]],
      ],
    ]);
    const { facts, scrubbed } = await scrub(inspectTiff, file);
    expect(facts.frames).toBe(2);
    expect(await sharp(scrubbed, { page: 1 }).raw().toBuffer()).toEqual(
      await sharp(file, { page: 1 }).raw().toBuffer(),
    );
    expect((await scrub(inspectTiff, scrubbed)).rewrite).toBeNull();
  });

  it('refuses a raw of Phase One by its mark', async () => {
    const file = tiff([[]]);
    const raw = Buffer.concat([file.subarray(0, 8), Buffer.from('IIIITwaR'), file.subarray(8)]);
    raw.writeUInt32LE(file.readUInt32LE(4) + 8, 4);
    await expect(scrub(inspectTiff, raw)).rejects.toThrow('Raw files of cameras are not supported.');
  });

  it.each([
    ['pixels outside of the file', [[273, LONG, [9999]]]],
    ['more pixels than its bytes can hold', [[279, LONG, [9999]]]],
    ['no width', [[256, SHORT, [0]]]],
    ['fewer lengths than strips', [[273, SHORT, [8, 8]]]],
  ] as [string, Tag[]][])('refuses %s', async (_, tags) => {
    await expect(scrub(inspectTiff, tiff([tags]))).rejects.toThrow(UnreadableFileError);
  });

  it('refuses pages whose tags together are larger than those of a real file', async () => {
    const bytes = tiff([[]]);
    const huge = Buffer.alloc(60_000 * 4);
    const pages = Array.from({ length: 300 }, (): Tag[] => [[320, SHORT, [0, 0, 0]]]);
    const many = Buffer.concat([tiff(pages), huge]);
    // The colour map of every page claims 400 KB anywhere in the file.
    for (
      let at = many.indexOf(Buffer.from([0x40, 1, 3, 0]));
      at >= 0;
      at = many.indexOf(Buffer.from([0x40, 1, 3, 0]), at + 1)
    ) {
      many.writeUInt32LE(120_000, at + 4);
      many.writeUInt32LE(8, at + 8);
    }
    await expect(scrub(inspectTiff, many)).rejects.toThrow('too large');
    expect((await scrub(inspectTiff, bytes)).facts.frames).toBe(1);
  });
});
