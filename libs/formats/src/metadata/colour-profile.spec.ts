import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { imageInspectors } from '../inspection/inspectors';
import { colourProfile, SRGB_TAGS } from '../testing/colour-profiles';
import { CANARY } from '../testing/canary';
import { noise, pngChunk } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { cleanColourBox, cleanProfile, MAX_PROFILE_BYTES } from './colour-profile';

const WHITE = ['wtpt', 'XYZ \0\0\0\0\0\0\xf6\xd6\0\x01\0\0\0\0\xd3\x2d'] as const;
const clean = colourProfile([WHITE, ...SRGB_TAGS]);
const withPrivateTag = colourProfile([WHITE, ...SRGB_TAGS, ['mmod', `mmod\0\0\0\0${CANARY}`]]);
const [FIRST_ENTRY, ENTRY, PRIVATE_AT] = [132, 12, 132 + 7 * 12] as const;

function changed(bytes: Uint8Array, at: number, value: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(value, at);
  return copy;
}

describe('cleanProfile', () => {
  it('returns a profile unchanged if it holds nothing else', () => {
    expect(cleanProfile(clean)).toBe(clean);
    const named = colourProfile();
    expect(cleanProfile(named)).toBe(named);
  });

  it.each([
    ['private tags', withPrivateTag],
    ['texts of any length', colourProfile([WHITE, ...SRGB_TAGS, ['cprt', CANARY.repeat(1000)]])],
    ['bytes after its end', concatBytes([clean, asciiBytes(CANARY)])],
    [
      'bytes between its tags',
      changed(changed(withPrivateTag, 128, u32(7)), PRIVATE_AT, new Uint8Array(ENTRY)),
    ],
  ])('removes %s', (_, profile) => {
    const cleaned = cleanProfile(profile);
    expect(Buffer.from(cleaned ?? [])).toEqual(Buffer.from(clean));
  });

  it.each([
    ['has no signature', changed(clean, 36, asciiBytes('evil'))],
    ['gives a length beyond its end', changed(clean, 0, u32(clean.length + 1))],
    ['is longer than 4 MiB', colourProfile([WHITE, ['A2B0', 'x'.repeat(MAX_PROFILE_BYTES)]])],
    ['has tags outside of itself', changed(clean, FIRST_ENTRY + 4, u32(clean.length))],
    ['has more tags than its bytes can hold', changed(clean, 128, u32(50))],
    ['holds only private tags', colourProfile([['mmod', CANARY]])],
    ['is too short', clean.subarray(0, 100)],
  ])('refuses one that %s', (_, profile) => {
    expect(cleanProfile(profile)).toBeNull();
  });
});

describe('cleanColourBox', () => {
  it('keeps numbers and valid profiles, and nothing after them', () => {
    const numbers = asciiBytes('nclx\0\x01\0\x01\0\x01\x80');
    expect(cleanColourBox(numbers)).toBe(numbers);
    expect(cleanColourBox(concatBytes([numbers, asciiBytes(CANARY)]))).toEqual(numbers);
    const profile = concatBytes([asciiBytes('prof'), clean]);
    expect(cleanColourBox(profile)).toBe(profile);
    expect(cleanColourBox(concatBytes([asciiBytes('prof'), withPrivateTag]))).toEqual(profile);
    expect(cleanColourBox(asciiBytes(`rICC${CANARY}`))).toBeNull();
    expect(cleanColourBox(asciiBytes(`what${CANARY}`))).toBeNull();
  });
});

/** Makes a file of a format with this profile and no other metadata. */
type Carrier = (profile: Uint8Array) => Promise<Uint8Array>;
const image = () => sharp(noise(8, 8, 3), { raw: { width: 8, height: 8, channels: 3 } });

/** Replaces the profile that sharp writes by other content of the same length. */
function inPlaceOf(encode: (picture: sharp.Sharp) => sharp.Sharp): Carrier {
  return async (profile) => {
    const file = await encode(image().withIccProfile('p3')).toBuffer();
    const at = file.indexOf('acsp') - 36;
    const size = file.readUInt32BE(at);
    const padded = new Uint8Array(size);
    padded.set(profile);
    if (Buffer.from(profile).includes('acsp')) padded.set(u32(size));
    return changed(file, at, padded);
  };
}

const carriers: Readonly<Record<'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif', Carrier>> = {
  jpeg: inPlaceOf((picture) => picture.jpeg()),
  webp: inPlaceOf((picture) => picture.webp()),
  tiff: inPlaceOf((picture) => picture.tiff()),
  avif: inPlaceOf((picture) => picture.avif()),
  png: async (profile) => {
    const file = await image().png().toBuffer();
    const { deflateSync } = await import('node:zlib');
    const chunk = pngChunk('iCCP', concatBytes([asciiBytes('ICC\0\0'), deflateSync(profile)]));
    return concatBytes([file.subarray(0, 33), chunk, file.subarray(33)]);
  },
  gif: async (profile) => {
    const file = await image().gif().toBuffer();
    const head = 13 + (3 << (((file[10] ?? 0) & 7) + 1));
    const blocks = Array.from({ length: Math.ceil(profile.length / 200) }, (_, i) => {
      const part = profile.subarray(i * 200, (i + 1) * 200);
      return concatBytes([Uint8Array.of(part.length), part]);
    });
    const block = concatBytes([asciiBytes('\x21\xff\x0bICCRGBG1012'), ...blocks, Uint8Array.of(0)]);
    return concatBytes([file.subarray(0, head), block, file.subarray(head)]);
  },
};
const formats = ['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const;

describe.each(formats)('the profile of %s', (format) => {
  const scrubbed = async (profile: Uint8Array): Promise<Buffer> =>
    Buffer.from((await scrub(imageInspectors[format], await carriers[format](profile))).scrubbed);
  const profileIn = async (file: Buffer): Promise<Buffer | undefined> => (await sharp(file).metadata()).icc;

  it('is removed if it is no profile', async () => {
    const file = await scrubbed(asciiBytes(CANARY.repeat(8)));
    expect(file.toString('latin1')).not.toContain(CANARY);
    if (format !== 'gif') expect(await profileIn(file)).toBeUndefined();
    expect((await sharp(file).raw().toBuffer()).length).toBeGreaterThan(0);
  });

  it('is kept without its private tags', async () => {
    const file = await scrubbed(withPrivateTag);
    expect(file.toString('latin1')).not.toContain(CANARY);
    expect(file.includes(format === 'png' ? 'iCCP' : 'acsp')).toBe(true);
    expect((await scrub(imageInspectors[format], file)).rewrite).toBeNull();
  });
});

describe('a second profile', () => {
  it('is removed from a JPEG, whatever its chunk number is', async () => {
    const file = await carriers.jpeg(clean);
    const piece = (number: number): Uint8Array => {
      const data = asciiBytes(`ICC_PROFILE\0${String.fromCharCode(number, 1)}${CANARY}`);
      return concatBytes([Uint8Array.of(0xff, 0xe2), u16(data.length + 2), data]);
    };
    const start = Buffer.from(file).indexOf(Uint8Array.of(0xff, 0xdb));
    const planted = concatBytes([file.subarray(0, start), piece(1), piece(2), file.subarray(start)]);
    const { scrubbed } = await scrub(imageInspectors.jpeg, planted);
    const alone = await scrub(imageInspectors.jpeg, file);
    expect(Buffer.from(scrubbed)).toEqual(Buffer.from(alone.scrubbed));
  });
});
