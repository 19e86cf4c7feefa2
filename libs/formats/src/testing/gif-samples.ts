import { concatBytes } from '../bytes/arrays';

/** Left, top, width and height of a frame, on a canvas of 2 × 1 pixels. */
type Area = readonly [number, number, number, number];
export const LEFT: Area = [0, 0, 1, 1];
export const RIGHT: Area = [1, 0, 1, 1];
const WHOLE: Area = [0, 0, 2, 1];
/** Numbers of colours in the palette. */
export const [RED, BLUE] = [0, 1];

export interface GifFrameOptions {
  readonly area?: Area;
  readonly colour?: number;
  readonly codeSize?: number;
  readonly disposal?: number;
  readonly transparent?: number;
  readonly control?: boolean;
}

/** A GIF with a palette of red, blue and black: 2, 4, 8, …, 256 colours. */
export const gif = (frames: readonly GifFrameOptions[], colours = 2): Uint8Array =>
  concatBytes([
    Buffer.from('GIF89a'),
    Uint8Array.from([...u16le(2), ...u16le(1)]),
    Uint8Array.of(0x80 | (Math.log2(colours) - 1), 0, 0, 255, 0, 0, 0, 0, 255),
    new Uint8Array(3 * (colours - 2)),
    ...frames.flatMap(frame),
    Uint8Array.of(0x3b),
  ]);

function frame({
  area = WHOLE,
  colour = RED,
  codeSize = 2,
  disposal = 1,
  transparent,
  control = true,
}: GifFrameOptions): Uint8Array[] {
  const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
  const clear = 1 << codeSize;
  const codes = [clear, ...Array.from({ length: area[2] * area[3] }, () => colour), clear + 1];
  // Codes follow each other from the lowest bit on. There are too few of them for longer codes.
  const bits = codes.reduce((sum, code, index) => sum | (BigInt(code) << BigInt(index * (codeSize + 1))), 0n);
  const eight = Buffer.alloc(8);
  eight.writeBigUInt64LE(bits);
  const packed = eight.subarray(0, Math.ceil((codes.length * (codeSize + 1)) / 8));
  return [
    ...(control ? [Uint8Array.of(0x21, 0xf9, 4, flags, 10, 0, transparent ?? 0, 0)] : []),
    Uint8Array.of(0x2c, ...area.flatMap(u16le), 0, codeSize),
    concatBytes([Uint8Array.of(packed.length), packed, Uint8Array.of(0)]),
  ];
}

const u16le = (value: number): number[] => [value & 255, value >> 8];
