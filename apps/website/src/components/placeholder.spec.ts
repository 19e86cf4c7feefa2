import { inflateSync } from 'node:zlib';
import { rgbaToThumbHash } from 'thumbhash';
import { placeholderOf } from './placeholder';

const [WIDTH, HEIGHT] = [60, 40];

/** Red at the left, blue at the right. */
function hashOf(alpha: number): string {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    rgba.set(i % WIDTH < WIDTH / 2 ? [255, 0, 0, 255] : [0, 0, 255, alpha], 4 * i);
  }
  return Buffer.from(rgbaToThumbHash(WIDTH, HEIGHT, rgba)).toString('base64');
}

describe('placeholderOf', () => {
  it('returns a small PNG with the aspect ratio and colours of the picture', () => {
    const uri = placeholderOf(hashOf(255));

    expect(uri).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
    expect(uri!.length).toBeLessThan(400);
    const png = Buffer.from(uri!.split(',')[1]!, 'base64');
    // The IHDR chunk contains the size (https://www.w3.org/TR/png-3/#11IHDR).
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([8, 6]);
    const data = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
    expect(rows.length).toBe(6 * (1 + 8 * 3));
    const [left, right] = [rows.subarray(1, 4), rows.subarray(22, 25)];
    expect(left[0]).toBeGreaterThan(left[2]! + 100);
    expect(right[2]).toBeGreaterThan(right[0]! + 100);
  });

  it('returns null for a transparent picture', () => {
    expect(placeholderOf(hashOf(0))).toBeNull();
  });

  it.each(['', 'AAA=', 'nonsense'])('does not throw for the hash "%s"', (hash) => {
    const uri = placeholderOf(hash);
    expect(uri === null || uri.startsWith('data:image/png')).toBe(true);
  });
});
