import sharp from 'sharp';
import { photo } from '../../test/samples/pictures';
import { pdqDistance, pdqHash } from './pdq';

async function hash(picture: sharp.Sharp | Buffer): Promise<{ pdq: string; quality: number }> {
  const pipeline = Buffer.isBuffer(picture) ? sharp(picture) : picture;
  const { data, info } = await pipeline
    .clone()
    .resize(512, 512, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return pdqHash(Float32Array.from(data), info.width, info.height);
}

describe('PDQ', () => {
  it('sets half of its 256 bits, as a threshold at the median must', async () => {
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

  it('tells different pictures apart', async () => {
    const hashes = await Promise.all([1, 2, 3, 4].map(async (seed) => hash(await photo(128, 96, seed))));
    for (const [index, { pdq }] of hashes.entries()) {
      for (const other of hashes.slice(index + 1)) expect(pdqDistance(pdq, other.pdq)).toBeGreaterThan(80);
    }
  });

  it('says how little a flat picture tells', async () => {
    const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#808080' } });
    expect((await hash(flat)).quality).toBe(0);
    expect((await hash(await photo(300, 200))).quality).toBeGreaterThanOrEqual(50);
  });

  it('turns its bits as a mirrored picture must: odd columns flip, even ones stay', async () => {
    const picture = await photo(256, 256);
    const [straight, mirrored] = [await hash(picture), await hash(picture.clone().flop())];
    const bits = (hex: string): boolean[] =>
      [...BigInt(`0x${hex}`).toString(2).padStart(256, '0')].reverse().map((bit) => bit === '1');
    const [a, b] = [bits(straight.pdq), bits(mirrored.pdq)];
    // Bit j of a word belongs to DCT column j + 1; odd columns are odd functions.
    const agreeing = a.filter((bit, index) => (bit === b[index]) === (index % 2 === 1)).length;
    expect(agreeing).toBeGreaterThan(205);
  });

  it.each([
    [1, 1],
    [1, 512],
    [512, 3],
    [7, 5],
  ])('takes a picture of %i × %i', (width, height) => {
    expect(pdqHash(new Float32Array(width * height).fill(9), width, height).pdq).toHaveLength(64);
  });
});
