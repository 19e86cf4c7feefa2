import sharp from 'sharp';
import { asciiBytes } from '../../bytes/text';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
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
