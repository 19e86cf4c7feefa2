/** The layout of an uncompressed TIFF (TIFF 6.0). */
export interface RawTiffLayout {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Bits of each sample. */
  readonly bits: number;
  /** 1: black is zero; 2: RGB. */
  readonly photometric: 1 | 2;
  readonly isFloat?: boolean;
}

/** A little-endian TIFF of one strip of these pixels. */
export function rawTiff(layout: RawTiffLayout, pixels: Buffer): Buffer {
  const { width, height, channels, bits, photometric, isFloat = false } = layout;
  const each = (value: number): Buffer => {
    const values = Buffer.alloc(channels * 2);
    for (let channel = 0; channel < channels; channel++) values.writeUInt16LE(value, channel * 2);
    return values;
  };
  const pixelsAt = 8;
  const [bitsAt, formatAt] = [pixelsAt + pixels.length, pixelsAt + pixels.length + channels * 2];
  const arrays = Buffer.concat([each(bits), each(isFloat ? 3 : 1)]);
  // Up to two values of two bytes are stored in the entry.
  const place = (at: number, value: number): number => (channels > 2 ? at : value);
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, channels, place(bitsAt, bits)],
    [259, 3, 1, 1],
    [262, 3, 1, photometric],
    [273, 4, 1, pixelsAt],
    [277, 3, 1, channels],
    [278, 4, 1, height],
    [279, 4, 1, pixels.length],
    [339, 3, channels, place(formatAt, isFloat ? 3 : 1)],
  ];
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [index, [tag, type, count, value]] of tags.entries()) {
    const entry = 2 + index * 12;
    directory.writeUInt16LE(tag, entry);
    directory.writeUInt16LE(type, entry + 2);
    directory.writeUInt32LE(count, entry + 4);
    directory.writeUInt32LE(value, entry + 8);
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(pixelsAt + pixels.length + arrays.length, 4);
  return Buffer.concat([head, pixels, arrays, directory]);
}
