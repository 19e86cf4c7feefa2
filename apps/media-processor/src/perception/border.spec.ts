import type { PerceptualHash } from '@vitrine/contracts';
import sharp from 'sharp';
import { photo } from '../../test/samples/pictures';
import { toPixels } from '../pixels/pixels';
import { insideBorder } from './border';
import { pdqDistance } from '../../test/samples/pdq-distance';
import { hashStill } from './perceive';

/** A plain picture with a striped area inside. */
function framed(inside: { left: number; top: number; width: number; height: number }): Float32Array {
  return Float32Array.from({ length: 128 * 128 }, (_, at) => {
    const [x, y] = [(at % 128) - inside.left, Math.floor(at / 128) - inside.top];
    const isInside = x >= 0 && y >= 0 && x < inside.width && y < inside.height;
    return isInside ? ((x + y) % 7) * 30 + 20 : 230;
  });
}

describe('insideBorder', () => {
  it.each([
    { left: 10, top: 20, width: 90, height: 60 },
    { left: 0, top: 16, width: 128, height: 96 },
    { left: 40, top: 40, width: 32, height: 32 },
  ])('finds the picture inside a border, at $left, $top', (area) => {
    expect(insideBorder({ data: framed(area), width: 128, height: 128 })).toEqual(area);
  });

  it('returns null for a plain picture, one without a border, and one whose inside is too small', () => {
    const size = { width: 128, height: 128 };
    expect(insideBorder({ data: new Float32Array(128 * 128), ...size })).toBeNull();
    expect(insideBorder({ data: framed({ left: 0, top: 0, ...size }), ...size })).toBeNull();
    expect(insideBorder({ data: framed({ left: 9, top: 9, width: 20, height: 20 }), ...size })).toBeNull();
  });
});

describe('hashes of a bordered copy', () => {
  const background = '#ffffff';
  const jpeg = (picture: sharp.Sharp): Promise<Buffer> => picture.jpeg({ quality: 60 }).toBuffer();

  const hashesOf = async (file: Buffer): Promise<PerceptualHash[]> => hashStill(await toPixels(sharp(file)));
  const inverted = (hex: string): string =>
    Buffer.from(Buffer.from(hex, 'hex').map((byte) => ~byte)).toString('hex');

  /** The smallest distance between the hashes of two pictures, in any orientation. */
  function distance(banned: readonly PerceptualHash[], seen: readonly PerceptualHash[]): number {
    const lookups = seen.flatMap(({ pdq, turned = '' }) => {
      const upright = [pdq, ...(Buffer.from(turned, 'base64').toString('hex').match(/.{64}/g) ?? [])];
      return upright.flatMap((one) => [one, inverted(one)]);
    });
    return Math.min(...banned.flatMap(({ pdq }) => lookups.map((other) => pdqDistance(pdq, other))));
  }

  it.each<[string, (picture: sharp.Sharp) => sharp.Sharp | Promise<sharp.Sharp>]>([
    ['resized', (picture) => picture.resize(230)],
    [
      'in a white border',
      (picture) => picture.extend({ ...{ top: 60, bottom: 40, left: 90, right: 20 }, background }),
    ],
    ['letterboxed', (picture) => picture.extend({ top: 80, bottom: 80, background: '#000000' })],
    ['inverted', (picture) => picture.negate({ alpha: false })],
    [
      'mirrored, turned, inverted, bordered and recompressed',
      async (picture) => {
        const turned = await jpeg(picture.flop().rotate(90).negate({ alpha: false }));
        return sharp(turned).extend({ ...{ top: 50, bottom: 50, left: 50, right: 50 }, background });
      },
    ],
  ])('match a picture that is %s', async (_, change) => {
    const original = await photo(420, 300);
    const copy = await jpeg(await change(original.clone()));
    expect(distance(await hashesOf(await jpeg(original)), await hashesOf(copy))).toBeLessThanOrEqual(31);
  });

  it('match no other picture', async () => {
    const pictures = await Promise.all(
      Array.from({ length: 8 }, async (_, seed) =>
        hashesOf(await jpeg((await photo(96, 64, seed + 1)).extend({ top: 12, background }))),
      ),
    );
    for (const [index, hashes] of pictures.entries()) {
      for (const other of pictures.slice(index + 1)) expect(distance(hashes, other)).toBeGreaterThan(60);
    }
  });
});
