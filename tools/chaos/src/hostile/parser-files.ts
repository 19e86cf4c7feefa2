import type { SampleFile } from '../clients/sample-files';

const SIZE_DIGITS = 100_000;
const PACKET = 188;
const PACKETS = 64_000;
const VIDEO_PID = 0x100;

/** An SVG whose width is a long invalid number: a pattern that backtracks takes quadratic time. */
export function hostileSvgSize(): SampleFile {
  const width = `${'1'.repeat(SIZE_DIGITS)}!`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="10"><rect width="1" height="1"/></svg>`;
  return { name: 'size.svg', bytes: Buffer.from(text), decodable: false };
}

/**
 * 12 MB of an MPEG transport stream whose H.264 stream is one frame that consists of start codes: a scrubber that searches
 * for the end of each unit from its start takes quadratic time.
 */
export function startCodeStream(): SampleFile {
  const packets = [packet(0, true, 0, section(pat())), packet(0x1000, true, 0, section(pmt()))];
  const codes = Buffer.alloc(PACKET, Buffer.from([0, 0, 1, 6]));
  // A PES header of a video with a time stamp and no length, as in broadcasts.
  const start = Buffer.from([
    0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1, 0, 0, 0, 1, 0x67, 0x42, 0, 10,
  ]);
  packets.push(packet(VIDEO_PID, true, 0, Buffer.concat([start, codes])));
  for (let index = 1; index < PACKETS; index++) packets.push(packet(VIDEO_PID, false, index, codes));
  return { name: 'codes.ts', bytes: Buffer.concat(packets), decodable: false };
}

function packet(pid: number, first: boolean, counter: number, payload: Buffer): Buffer {
  const framed = Buffer.alloc(PACKET, 0xff);
  framed[0] = 0x47;
  framed.writeUInt16BE((first ? 0x4000 : 0) | pid, 1);
  framed[3] = 0x10 | (counter & 15);
  payload.copy(framed, 4);
  return framed;
}

/** A table of the stream, with its pointer and its checksum. */
function section(table: Buffer): Buffer {
  const framed = Buffer.alloc(table.length + 5);
  table.copy(framed, 1);
  framed.writeUInt32BE(crc32Mpeg(table), table.length + 1);
  return framed;
}

const pat = (): Buffer => Buffer.from([0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0]);

const pmt = (): Buffer =>
  Buffer.from([2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0, 0x1b, 0xe1, 0, 0xf0, 0]);

function crc32Mpeg(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}
