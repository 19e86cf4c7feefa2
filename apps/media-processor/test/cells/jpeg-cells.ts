import { legitimate, neighbours, spliced, withByte, type Pair, type RasterCell } from './raster-cell';
import { softPicture } from './soft-picture';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
/** JPEG: the fields of its segments. */
export async function jpegCells(): Promise<RasterCell[]> {
  const files: Readonly<Record<string, Buffer>> = {
    colour: await softPicture(3).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
    'small chroma': await softPicture(3).jpeg({ quality: 90 }).toBuffer(),
    progressive: await softPicture(3).jpeg({ quality: 90, progressive: true }).toBuffer(),
    grey: await softPicture(1).toColourspace('b-w').jpeg({ quality: 90 }).toBuffer(),
    CMYK: await softPicture(3).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer(),
  };
  const some: Pair[] = [];
  const adobe = (transform: number): Buffer =>
    Buffer.concat([Buffer.of(0xff, 0xee, 0, 14), ascii('Adobe'), Buffer.of(0, 100, 0, 0, 0, 0, transform)]);
  const exif = (type: number, count: number, value: number, order = 'II*\0'): Buffer => {
    const isLittle = order.startsWith('II');
    const tiff = Buffer.alloc(26);
    tiff.write(order, 0, 'latin1');
    const [put16, put32] = isLittle
      ? [tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)]
      : [tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)];
    put32(8, 4);
    put16(1, 8);
    put16(0x112, 10);
    put16(type, 12);
    put32(count, 14);
    if (type === 3) put16(value, 18);
    else if (type === 4) put32(value, 18);
    else tiff.writeUInt8(value, 18);
    return Buffer.concat([Buffer.of(0xff, 0xe1, 0, tiff.length + 8), ascii('Exif\0\0'), tiff]);
  };
  /** A size and a resolution of which Chromium derives the size at which it shows a picture of 16 pixels. */
  const sizes = (pixels: number): Buffer => {
    const tiff = Buffer.alloc(110);
    tiff.write('II*\0\x08', 'latin1');
    const directory = (at: number, entries: readonly (readonly number[])[]): void => {
      tiff.writeUInt16LE(entries.length, at);
      entries.forEach(([tag = 0, type = 0, value = 0], index) => {
        tiff.writeUInt16LE(tag, at + 2 + 12 * index);
        tiff.writeUInt16LE(type, at + 4 + 12 * index);
        tiff.writeUInt32LE(1, at + 6 + 12 * index);
        tiff.writeUInt32LE(value, at + 10 + 12 * index);
      });
    };
    directory(8, [
      [282, 5, 102],
      [283, 5, 102],
      [296, 3, 2],
      [34665, 4, 72],
    ]);
    directory(72, [
      [40962, 4, pixels],
      [40963, 4, pixels],
    ]);
    tiff.writeUInt32LE((72 * 16) / pixels, 102);
    tiff.writeUInt32LE(1, 106);
    return Buffer.concat([Buffer.of(0xff, 0xe1, 0, tiff.length + 8), ascii('Exif\0\0'), tiff]);
  };
  for (const [name, file] of Object.entries(files)) {
    for (const pixels of [1, 4, 8, 16, 64])
      some.push([`${name}, resolution of ${pixels} pixels`, spliced(file, 2, 2, sizes(pixels))]);
    const bare = Buffer.concat([file.subarray(0, 2), file.subarray(file.indexOf(Buffer.of(0xff, 0xdb)))]);
    for (const transform of [0, 1, 2, 3])
      some.push(
        [`${name}, Adobe ${transform}`, spliced(bare, 2, 2, adobe(transform))],
        [`${name}, JFIF and Adobe ${transform}`, spliced(file, 20, 20, adobe(transform))],
      );
    some.push([`${name}, no JFIF`, bare]);
    for (const type of [1, 3, 4, 5])
      for (const count of [1, 2])
        for (const value of [0, 1, 3, 6, 9])
          for (const order of ['II*\0', 'MM\0*'])
            some.push([
              `${name}, orientation ${value} of type ${type}, count ${count}, ${order.slice(0, 2)}`,
              spliced(bare, 2, 2, exif(type, count, value, order)),
            ]);
    const frame = file.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(file[at + 1] ?? 0));
    for (const [at, values] of [
      [1, [0xc0, 0xc1, 0xc2, 0xc3, 0xc9]],
      [4, [8, 12, 16]],
      [6, [0, 8, 15, 17, 32]],
      [8, [0, 8, 15, 17, 32]],
      [9, [1, 2, 3, 4]],
    ] as const)
      for (const value of values)
        some.push([`${name}, byte ${at} of the frame is ${value}`, withByte(file, frame + at, value)]);
    for (let component = 0; component < (file[frame + 9] ?? 0); component++)
      for (const sampling of [0x11, 0x12, 0x21, 0x22, 0x31, 0x41, 0x44, 0])
        some.push([
          `${name}, sampling ${sampling.toString(16)} of component ${component}`,
          withByte(file, frame + 11 + 3 * component, sampling),
        ]);
    if ((file[frame + 9] ?? 0) === 3) {
      const scans = [...file.keys()].filter((at) => file[at] === 0xff && file[at + 1] === 0xda);
      for (const ids of ['RGB', 'rgb', '\x00\x01\x02', 'YCc']) {
        const copy = Buffer.from(bare);
        const shift = file.length - bare.length;
        for (let component = 0; component < 3; component++) {
          const [from, to] = [file[frame + 10 + 3 * component] ?? 0, ids.charCodeAt(component)];
          copy[frame - shift + 10 + 3 * component] = to;
          for (const scan of scans)
            for (let i = 0; i < (file[scan + 4] ?? 0); i++)
              if (file[scan + 5 + 2 * i] === from) copy[scan - shift + 5 + 2 * i] = to;
        }
        some.push([`${name}, components ${Buffer.from(ids).toString('hex')}`, copy]);
      }
    }
    for (const cut of [1, 2, 3, 4, 10, 40, 100])
      some.push([`${name}, cut by ${cut}`, file.subarray(0, -cut)]);
    some.push([
      `${name}, the frame twice`,
      spliced(file, frame, frame, file.subarray(frame, frame + 2 + file.readUInt16BE(frame + 2))),
    ]);
    some.push(
      [`${name}, followed by another`, Buffer.concat([file, files['grey'] as Buffer])],
      [`${name}, two starts`, Buffer.concat([file.subarray(0, 2), file])],
    );
    some.push(
      [`${name}, DNL`, spliced(file, file.length - 2, file.length - 2, Buffer.of(0xff, 0xdc, 0, 4, 0, 8))],
      [`${name}, a restart interval of 1`, spliced(file, frame, frame, Buffer.of(0xff, 0xdd, 0, 4, 0, 1))],
    );
  }
  return [...legitimate('jpeg', Object.entries(files)), ...neighbours('jpeg', some)];
}
