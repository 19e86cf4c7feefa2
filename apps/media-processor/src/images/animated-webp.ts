import type { Dimensions } from '../pixels/variant-plan';

/** WebP has 24 bits for the milliseconds of a frame, and 16 for the repetitions. */
const MAX_DELAY = 0xffffff;
const MAX_LOOP = 0xffff;
const ANIMATION_AND_ALPHA = 0x12;
const OVERWRITE = 0x02;

/**
 * Joins still WebP files, each of the size of the canvas, into an animated one. Frames are not merged; delays are in
 * milliseconds (https://developers.google.com/speed/webp/docs/riff_container#animation).
 */
export function joinAnimatedWebp(
  { width, height }: Dimensions,
  loop: number,
  frames: readonly { readonly webp: Buffer; readonly delay: number }[],
): Buffer {
  const extended = Buffer.alloc(10);
  extended.writeUInt32LE(ANIMATION_AND_ALPHA, 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const animation = Buffer.alloc(6);
  animation.writeUInt16LE(Math.min(loop, MAX_LOOP), 4);
  const body = [chunk('VP8X', extended), chunk('ANIM', animation)];
  for (const { webp, delay } of frames) {
    const control = Buffer.alloc(16);
    control.writeUIntLE(width - 1, 6, 3);
    control.writeUIntLE(height - 1, 9, 3);
    control.writeUIntLE(Math.min(delay, MAX_DELAY), 12, 3);
    control.writeUInt8(OVERWRITE, 15);
    body.push(chunk('ANMF', Buffer.concat([control, ...pictureChunks(webp)])));
  }
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...body]));
}

/** The chunks of a still WebP that hold its picture: `VP8 ` with its `ALPH`, or `VP8L`. */
function* pictureChunks(webp: Buffer): Generator<Buffer> {
  for (let at = 12; at + 8 <= webp.length;) {
    const length = webp.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(webp.toString('latin1', at, at + 4))) yield webp.subarray(at, end);
    at = end;
  }
}

/** A RIFF chunk, padded to an even length. */
function chunk(name: string, body: Buffer): Buffer {
  const header = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
}
