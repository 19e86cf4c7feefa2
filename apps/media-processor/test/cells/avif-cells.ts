import { legitimate, neighbours, spliced, withByte, type Pair, type RasterCell } from './raster-cell';
import { softPicture } from './soft-picture';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
/** The start of a box of this type within a file, at its length. */
const boxAt = (file: Buffer, type: string): number => file.indexOf(ascii(type)) - 4;

/** A file with a box of code points in place of the box that states the depth, which is not needed. */
function withColours(file: Buffer, codes: readonly number[]): Buffer {
  const [depth, meta] = [boxAt(file, 'pixi'), boxAt(file, 'meta')];
  const end = depth + file.readUInt32BE(depth);
  const box = Buffer.concat([Buffer.of(0, 0, 0, 19), ascii('colrnclx'), Buffer.from(codes)]);
  const more = box.length - (end - depth);
  const copy = Buffer.from(file);
  for (const type of ['meta', 'iprp', 'ipco']) {
    const at = boxAt(file, type);
    copy.writeUInt32BE(file.readUInt32BE(at) + more, at);
  }
  // Positions of the pixels are the only numbers of this size.
  const places = boxAt(file, 'iloc');
  const metaEnd = meta + file.readUInt32BE(meta);
  for (let at = places + 12; at + 4 <= places + file.readUInt32BE(places); at++) {
    const value = file.readUInt32BE(at);
    if (value < metaEnd || value >= file.length) continue;
    copy.writeUInt32BE(value + more, at);
    at += 3;
  }
  return spliced(copy, depth, end, box);
}

/** AVIF: every byte of the boxes that say how its picture is shown. */
export async function avifCells(): Promise<RasterCell[]> {
  const files: Readonly<Record<string, Buffer>> = {
    colour: await softPicture(3).avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
    alpha: await softPicture(4).avif({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
    grey: await softPicture(1).toColourspace('b-w').avif({ quality: 90 }).toBuffer(),
  };
  const some: Pair[] = [];
  for (const [name, file] of Object.entries(files)) {
    for (const type of ['ispe', 'pixi', 'colr', 'av1C', 'auxC', 'ipma', 'iref', 'pitm', 'infe']) {
      const start = boxAt(file, type);
      if (start < 0) continue;
      const length = file.readUInt32BE(start);
      for (let at = 8; at < Math.min(length, 28); at++)
        for (const change of [1, 0x80])
          some.push([
            `${name}, byte ${at} of ${type} ${change === 1 ? '+ 1' : 'flipped'}`,
            withByte(file, start + at, (file.readUInt8(start + at) ^ change) & 255),
          ]);
    }
    for (const primaries of [1, 2, 9, 12])
      for (const transfer of [1, 2, 8, 13, 16, 18])
        for (const matrix of [0, 1, 2, 6, 9])
          for (const range of [0, 0x80]) {
            const codes = [0, primaries, 0, transfer, 0, matrix, range];
            some.push([
              `${name}, colours ${primaries} ${transfer} ${matrix} ${range}`,
              withColours(file, codes),
            ]);
          }
    const urn = file.indexOf(ascii('urn:'));
    for (const other of [
      'urn:mpeg:avc:2015:auxid:1',
      'urn:mpeg:hevc:2015:auxid:1',
      'urn:mpeg:hevc:2015:auxid:2',
      'urn:mpeg:mpegB:cicp:systems:auxiliary:depth',
    ])
      if (urn >= 0) {
        const end = file.indexOf(0, urn);
        const copy = Buffer.from(file);
        copy.fill(0, urn, end);
        copy.write(other.slice(0, end - urn), urn, 'latin1');
        some.push([`${name}, auxiliary ${other}`, copy]);
      }
    for (const cut of [1, 10, 60]) some.push([`${name}, cut by ${cut}`, file.subarray(0, -cut)]);
  }
  return [...legitimate('avif', Object.entries(files)), ...neighbours('avif', some)];
}
