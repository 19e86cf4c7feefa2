import sharp from 'sharp';
import { photo } from '../../test/samples/pictures';
import { pdqDistance } from '../../test/samples/pdq-distance';
import { pdqHash, type PdqHash } from './pdq';

async function hash(picture: sharp.Sharp | Buffer): Promise<PdqHash> {
  const pipeline = Buffer.isBuffer(picture) ? sharp(picture) : picture;
  const { data, info } = await pipeline
    .clone()
    .resize(512, 512, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return pdqHash({ data, width: info.width, height: info.height });
}

describe('PDQ', () => {
  it('sets half of its 256 bits', async () => {
    const { pdq } = await hash(await photo(400, 300));
    expect(pdq).toMatch(/^[0-9a-f]{64}$/);
    expect(pdqDistance(pdq, '0'.repeat(64))).toBe(128);
  });

  it('stays within 31 bits when a picture is resized or recompressed', async () => {
    for (let seed = 1; seed <= 2; seed++) {
      const picture = await photo(384, 256, seed);
      const { pdq } = await hash(picture);
      const alike = [
        await picture.clone().jpeg({ quality: 40 }).toBuffer(),
        await picture.clone().resize(200).jpeg().toBuffer(),
        await picture.clone().webp({ quality: 30, effort: 0 }).toBuffer(),
        await picture.clone().modulate({ brightness: 1.1 }).png().toBuffer(),
      ];
      for (const copy of alike) expect(pdqDistance(pdq, (await hash(copy)).pdq)).toBeLessThanOrEqual(31);
    }
  });

  it('differs by many bits for different pictures', async () => {
    const hashes = await Promise.all([1, 2, 3, 4].map(async (seed) => hash(await photo(128, 96, seed))));
    for (const [index, { pdq }] of hashes.entries()) {
      for (const other of hashes.slice(index + 1)) expect(pdqDistance(pdq, other.pdq)).toBeGreaterThan(80);
    }
  });

  it('has a low quality for a flat picture', async () => {
    const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#808080' } });
    expect((await hash(flat)).quality).toBe(0);
    expect((await hash(await photo(300, 200))).quality).toBeGreaterThanOrEqual(50);
  });

  it('returns the hashes of the mirrored and rotated picture, within the bits that compression changes', async () => {
    const { pdq, turned } = await hash(await photo(320, 240));
    const bytes = Buffer.from(turned, 'base64').toString('hex');
    const orientations = [pdq, ...(bytes.match(/.{64}/g) ?? [])];
    expect(orientations).toHaveLength(8);
    const matched = new Set<number>();
    for (const angle of [0, 90, 180, 270]) {
      for (const mirrored of [false, true]) {
        // Fresh pixels, because in one pipeline sharp mirrors after it rotates.
        const copy = await (
          await photo(320, 240)
        )
          .rotate(angle)
          .flop(mirrored)
          .jpeg({ quality: 50 })
          .toBuffer();
        const distances = await Promise.all(
          orientations.map(async (one) => pdqDistance(one, (await hash(copy)).pdq)),
        );
        const least = Math.min(...distances);
        expect(least).toBeLessThanOrEqual(16);
        matched.add(distances.indexOf(least));
      }
    }
    expect(matched.size).toBe(8);
  });

  it('has inverted bits for the inverted picture', async () => {
    const picture = await photo(256, 256);
    const complement = Buffer.from((await hash(picture)).pdq, 'hex').map((byte) => ~byte);
    const inverted = await hash(picture.clone().negate({ alpha: false }));
    expect(pdqDistance(Buffer.from(complement).toString('hex'), inverted.pdq)).toBeLessThanOrEqual(6);
  });

  it.each([
    [1, 1],
    [1, 512],
    [512, 3],
    [7, 5],
  ])('accepts a picture of %i × %i', (width, height) => {
    expect(pdqHash({ data: new Float32Array(width * height).fill(9), width, height }).pdq).toHaveLength(64);
  });
});
