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

  it('returns false if the curve of any primary differs from sRGB anywhere', async () => {
    // A gamma of 2.2 as a table. The other tables have a jump among their highest codes.
    const light = Array.from({ length: 4096 }, (_, code) => Math.round(65_535 * (code / 4095) ** 2.2));
    const good = Buffer.from(Uint16Array.from(light).buffer).swap16();
    const withTable = async (name: string, change: (table: Buffer) => void): Promise<Buffer> => {
      const source = await profile('srgb');
      const table = Buffer.from(good);
      change(table);
      const whole = Buffer.concat([source, Buffer.from('curv\0\0\0\0\0\0\x10\0', 'latin1'), table]);
      whole.writeUInt32BE(source.length, whole.indexOf(name, 128, 'latin1') + 4);
      return whole;
    };
    for (const name of ['rTRC', 'gTRC', 'bTRC']) {
      expect(isSrgbProfile(await withTable(name, () => undefined))).toBe(true);
      const revealing = await withTable(name, (table) => table.fill(0, 4000 * 2, 4010 * 2));
      expect(isSrgbProfile(revealing)).toBe(false);
    }
  });

  it("returns false for a profile that it can't read", async () => {
    const whole = await profile('srgb');
    for (let length = 0; length < whole.length; length += 7) {
      expect(isSrgbProfile(Buffer.alloc(length, 0xff))).toBe(false);
    }
    expect(isSrgbProfile(whole.subarray(0, 200))).toBe(false);
  });
});
