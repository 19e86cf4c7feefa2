import type { Dimensions } from './variant-plan';

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const ENTRIES = 12;

/**
 * An uncompressed RGBA TIFF of the given dimensions with room for its pixels: `pixels` is a view of it, to be
 * filled. Raw pixels can't carry a colour profile into libvips; this can (TIFF 6.0, and tag 34675 of ICC.1 annex B).
 */
export function wrapInTiff(
  { width, height }: Dimensions,
  profile?: Buffer,
): { readonly tiff: Buffer; readonly pixels: Buffer } {
  const count = profile ? ENTRIES + 1 : ENTRIES;
  const extra = 8 + 2 + count * 12 + 4;
  const profileAt = extra + 8;
  const pixelsAt = profileAt + (profile?.length ?? 0) + ((profile?.length ?? 0) % 2);
  const bytes = width * height * 4;
  const tiff = Buffer.allocUnsafeSlow(pixelsAt + bytes);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 4, extra], // bits a sample, four shorts
    [259, SHORT, 1, 1], // not compressed
    [262, SHORT, 1, 2], // RGB
    [273, LONG, 1, pixelsAt],
    [274, SHORT, 1, 1], // upright
    [277, SHORT, 1, 4],
    [278, LONG, 1, height],
    [279, LONG, 1, bytes],
    [284, SHORT, 1, 1],
    [338, SHORT, 1, 2], // the fourth sample is alpha, not premultiplied
  ];
  if (profile) entries.push([34675, UNDEFINED, profile.length, profileAt]);
  tiff.writeUInt16LE(count, 8);
  for (const [index, [tag, type, length, value]] of entries.entries()) {
    const at = 10 + index * 12;
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(length, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  tiff.writeUInt32LE(0, extra - 4);
  for (let sample = 0; sample < 4; sample++) tiff.writeUInt16LE(8, extra + sample * 2);
  profile?.copy(tiff, profileAt);
  return { tiff, pixels: tiff.subarray(pixelsAt) };
}
