import { legitimate, neighbours, spliced, type Pair, type RasterCell } from './raster-cell';
import { softPicture } from './soft-picture';

const u32le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** TIFF: every value of its tags set to others. Browsers don't show it, so it only has to end. */
export async function tiffCells(): Promise<RasterCell[]> {
  const file = await softPicture(3).tiff({ compression: 'none' }).toBuffer();
  const [little, directory] = [file.toString('latin1', 0, 2) === 'II', file.readUInt32LE(4)];
  const some: Pair[] = [];
  for (let entry = 0; entry < (little ? file.readUInt16LE(directory) : 0); entry++) {
    const at = directory + 2 + 12 * entry;
    for (const value of [0, 1, 2, 3, 5, 8, 16, 32, 100, 0x7fffffff, 0xffffffff])
      some.push([`tag ${file.readUInt16LE(at)} is ${value}`, spliced(file, at + 8, at + 12, u32le(value))]);
    for (const count of [0, 2, 0xffffffff])
      some.push([
        `tag ${file.readUInt16LE(at)} has ${count} values`,
        spliced(file, at + 4, at + 8, u32le(count)),
      ]);
  }
  return [...legitimate('tiff', [['a plain one', file]]), ...neighbours('tiff', some)];
}
