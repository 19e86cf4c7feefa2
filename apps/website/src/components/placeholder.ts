import { crc32, deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { thumbHashToRGBA } from 'thumbhash';

/** Longest edge in pixels. Browsers smooth enlarged pictures, so more pixels look the same and need more bytes. */
const EDGE = 8;

const known = new LRUCache<string, { readonly uri: string | null }>({ max: 20_000 });

/**
 * Draws a placeholder of about 200 bytes from a thumbhash in Base64. Returns a `data:` URI; null if the picture is
 * transparent (the placeholder would shine through) or the hash is invalid.
 */
export function placeholderOf(thumbhash: string): string | null {
  let made = known.get(thumbhash);
  if (!made) {
    made = { uri: draw(Buffer.from(thumbhash, 'base64')) };
    known.set(thumbhash, made);
  }
  return made.uri;
}

/** Five bytes of a thumbhash are its header; the 24th bit says that it has transparency (thumbhash.js). */
const isOpaque = (hash: Buffer): boolean => hash.length >= 5 && ((hash[2] ?? 0) & 0x80) === 0;

function draw(hash: Buffer): string | null {
  if (!isOpaque(hash)) return null;
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const scale = EDGE / Math.max(w, h);
  const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    // Each row of a PNG begins with its filter's number.
    rows.push(0);
    for (let x = 0; x < width; x++) {
      const pixel = 4 * (Math.floor(((y + 0.5) * h) / height) * w + Math.floor(((x + 0.5) * w) / width));
      rows.push(...rgba.subarray(pixel, pixel + 3));
    }
  }
  return `data:image/png;base64,${encodePng(width, height, Buffer.from(rows)).toString('base64')}`;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Encodes a PNG with 8-bit red, green and blue (https://www.w3.org/TR/png-3/). Each row begins with the number of its
 * filter.
 */
function encodePng(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
