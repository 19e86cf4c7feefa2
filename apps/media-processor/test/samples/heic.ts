/** What a HEIC file is made of, beside the coded picture. */
export interface HeicOptions {
  readonly width: number;
  readonly height: number;
  /** Quarter turns counter-clockwise (`irot`). */
  readonly turns?: number;
  /** An ICC profile (`colr`). */
  readonly profile?: Buffer;
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

const u8 = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u8(value >> 8, value & 0xff)));
const u32 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)));
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** The body of the first box of a type, found by its name; enough for files of our own. */
function bodyOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1');
  if (at < 4) throw new Error(`No ${type}`);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

/**
 * Wraps the one HEVC frame of an MP4 (`hvc1`, as ffmpeg writes it) as the primary picture of a HEIC file
 * (ISO/IEC 23008-12): no encoder for HEIC is at hand, and this is all that one would add.
 */
export function makeHeic(mp4: Buffer, { width, height, turns = 0, profile }: HeicOptions): Buffer {
  const picture = bodyOf(mp4, 'mdat');
  const properties = [
    box('hvcC', bodyOf(mp4, 'hvcC')),
    box('ispe', u32(0, width, height)),
    ...(profile ? [box('colr', text('prof'), profile)] : []),
    ...(turns ? [box('irot', u8(turns))] : []),
  ];
  const links = properties.map((_, index) => u8(index + 1));
  const meta = (offset: number): Buffer =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), text('pict'), u32(0, 0, 0), u8(0)),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), u8(0x44, 0), u16(1), u16(1, 0, 1), u32(offset, picture.length)),
      box('iinf', u32(0), u16(1), box('infe', u32(0x02000000), u16(1, 0), text('hvc1'), u8(0))),
      box('iprp', box('ipco', ...properties), box('ipma', u32(0, 1), u16(1), u8(links.length), ...links)),
    );
  const ftyp = box('ftyp', text('heic'), u32(0), text('mif1heic'));
  const offset = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(offset), box('mdat', picture)]);
}
