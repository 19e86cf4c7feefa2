const HEAD_BYTES = 54;
const WIDTH = 2000;
const BYTES_A_LINE = WIDTH * 3;

/** The header of an uncompressed BMP of about `bytes` bytes, with 24 bits a pixel. Any bytes can follow as pixels. */
export function bitmapHead(bytes: number): Buffer {
  const height = Math.floor((bytes - HEAD_BYTES) / BYTES_A_LINE);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(HEAD_BYTES + height * BYTES_A_LINE, 2);
  head.writeUInt32LE(HEAD_BYTES, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(WIDTH, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(height * BYTES_A_LINE, 34);
  return head;
}
