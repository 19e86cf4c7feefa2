import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};

/** A real grey PNG of this size; `extra` chunks go before the picture, `tail` after its end. */
export function png(
  width: number,
  height: number,
  { extra = [], tail = '' }: { extra?: readonly (readonly [string, string])[]; tail?: string } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x7f);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...extra.map(([type, text]) => chunk(type, Buffer.from(text, 'latin1'))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
    Buffer.from(tail, 'latin1'),
  ]);
}

/** A PNG whose header claims this size, with almost no picture data. */
export function pngBomb(width: number, height: number): Buffer {
  const bytes = png(1, 1);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

/** A GIF without any palette. */
export const GIF_WITHOUT_COLOURS = Buffer.from('R0lGODlhAgABAAAAACwAAAAAAgABAAACAkwBADs=', 'base64');

/** The smallest GIF: one transparent pixel, repeated for each frame. */
export function gif(frames = 1): Buffer {
  const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const frame = bytes.subarray(19, -1);
  return Buffer.concat([bytes.subarray(0, 19), ...Array<Buffer>(frames).fill(frame), bytes.subarray(-1)]);
}

export const svg = (inner = ''): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20">${inner}<rect width="9" height="9"/></svg>`,
  );

/** A BMP with one grey pixel: browsers show this format, but the variants don't keep it. */
export function bmp(): Buffer {
  const out = Buffer.alloc(58);
  out.write('BM', 0, 'latin1');
  out.writeUInt32LE(58, 2);
  out.writeUInt32LE(54, 10);
  out.writeUInt32LE(40, 14);
  out.writeInt32LE(1, 18);
  out.writeInt32LE(1, 22);
  out.writeUInt16LE(1, 26);
  out.writeUInt16LE(24, 28);
  out.writeUInt32LE(4, 34);
  return out;
}
