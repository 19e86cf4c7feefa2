import sharp from 'sharp';
import { isSrgbProfile } from './icc-profile';

/** The profile that sharp writes under this name. */
async function profile(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } });
  const { icc } = await sharp(await picture.withIccProfile(name).tiff().toBuffer()).metadata();
  if (!icc) throw new Error(`No profile in a picture with ${name}`);
  return icc;
}

describe('isSrgbProfile', () => {
  it('returns true for the sRGB profile', async () => {
    expect(isSrgbProfile(await profile('srgb'))).toBe(true);
  });

  it('returns false for Display P3 and CMYK profiles', async () => {
    expect(isSrgbProfile(await profile('p3'))).toBe(false);
    expect(isSrgbProfile(await profile('cmyk'))).toBe(false);
  });

  it('decides by the numbers of a profile, not by its name', async () => {
    const renamed = Buffer.from(await profile('p3'));
    renamed.write('sRGB', 48, 'latin1');
    expect(isSrgbProfile(renamed)).toBe(false);
    const linear = Buffer.from(await profile('srgb'));
    const tag = linear.indexOf('gTRC', 128, 'latin1');
    const curve = linear.readUInt32BE(tag + 4);
    linear.write('curv\0\0\0\0\0\0\0\0', curve, 'latin1');
    expect(isSrgbProfile(linear)).toBe(false);
  });

  it("returns false for a profile that it can't read", async () => {
    const whole = await profile('srgb');
    for (let length = 0; length < whole.length; length += 7) {
      expect(isSrgbProfile(Buffer.alloc(length, 0xff))).toBe(false);
    }
    expect(isSrgbProfile(whole.subarray(0, 200))).toBe(false);
  });
});
