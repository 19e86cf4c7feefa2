import { randomBytes, randomFillSync } from 'node:crypto';
import sharp from 'sharp';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((v) => [v >> 8, v & 255]));
const u32 = (...values: number[]): Buffer => {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => out.writeUInt32BE(value, i * 4));
  return out;
};
const box = (type: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
};
const UNITY = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** A phone's MP4 of this many bytes: noise as the picture, the index at the end, and the location in it. */
export function video(bytes: number): Buffer {
  const fileType = box('ftyp', text('isom'), u32(512), text('isomavc1mp41'));
  const sample = bytes - 2000;
  const avcC = box(
    'avcC',
    Buffer.from([1, 66, 0, 30, 0xff, 0xe1, 0, 4, 0x67, 66, 0, 30, 1, 0, 4, 0x68, 0xce, 0x38, 0x80]),
  );
  const avc1 = box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(1920, 1080),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    avcC,
  );
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), avc1),
    box('stts', u32(0, 1, 1, 1000)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stsz', u32(0, 0, 1, sample)),
    box('stco', u32(0, 1, fileType.length + 8)),
  );
  const track = box(
    'trak',
    box('tkhd', u32(7, 0, 0, 1, 0, 1000, 0, 0, 0, 0), UNITY, u32(1920 << 16, 1080 << 16)),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, 1000, 1000), u16(0x55c4, 0)),
      box('hdlr', u32(0, 0), text('vide'), u32(0, 0, 0), text('\0')),
      box('minf', box('vmhd', u32(1, 0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), table),
    ),
  );
  const place = box('udta', box('\xa9xyz', u16(18, 0x15c7), text('+27.5916+086.5640/')));
  const index = box(
    'moov',
    box('mvhd', u32(0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0), UNITY, u32(0, 0, 0, 0, 0, 0, 2)),
    track,
    place,
  );
  return Buffer.concat([fileType, u32(sample + 8), text('mdat'), randomBytes(sample), index]);
}

/** A camera's JPEG of about this many bytes: noise, with a location in its Exif data. Each one is different. */
export function photograph(bytes: number): Promise<Buffer> {
  // Bytes per pixel of noise at full quality.
  const bytesPerPixel = 2.9;
  const width = Math.ceil(Math.sqrt(bytes / bytesPerPixel / 0.75));
  const height = Math.ceil(width * 0.75);
  const noise = randomFillSync(Buffer.allocUnsafe(width * height * 3));
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Artist: 'Nobody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '27/1 35/1 0/1' } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
