import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { imageInspectors } from '../inspection/inspectors';
import { cleanedProfile, colourProfile, GAMMA, SRGB_TAGS } from '../testing/colour-profiles';
import { CANARY, scrub } from '../testing/scrub';
import { noise, pngChunk } from '../testing/image-samples';
import { cleanColourBox, cleanProfile, MAX_PROFILE_BYTES } from './colour-profile';

const clean = colourProfile();
const withPrivateTag = colourProfile([...SRGB_TAGS, ['mmod', `mmod\0\0\0\0${CANARY}`]]);
const [FIRST_ENTRY, ENTRY, PRIVATE_AT] = [132, 12, 132 + 6 * 12] as const;

function changed(bytes: Uint8Array, at: number, value: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(value, at);
  return copy;
}

/** A text in the form of version 2, with more of it in the fields for other alphabets. */
const description = (text: string): string =>
  `desc\0\0\0\0\0\0\0${String.fromCharCode(text.length + 1)}${text}\0\0\0\0\0\0\0\0\x20${CANARY}`;

describe('cleanProfile', () => {
  it('returns a profile unchanged if it is written like that already', () => {
    expect(cleanProfile(clean)).toBe(clean);
  });

  it('returns a well-known profile unchanged, with its names, but not a changed one', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(
      await image().withIccProfile('p3').png().toBuffer(),
    ).metadata();
    expect(cleanProfile(icc)).toBe(icc);
    const other = changed(icc, 30, Uint8Array.of(1));
    expect(Buffer.from(cleanProfile(other) ?? []).includes('CC0')).toBe(false);
  });

  // Promise [formats]: Colour profiles lose texts and private tags.
  it.each<[string, Uint8Array]>([
    ['private tags', withPrivateTag],
    ['texts', colourProfile([['desc', description(CANARY)], ['cprt', CANARY], ...SRGB_TAGS])],
    ['what displays write of themselves', colourProfile([...SRGB_TAGS, ['vcgt', CANARY], ['meta', CANARY]])],
    [
      'bytes behind the values of a tag',
      colourProfile(SRGB_TAGS.map(([name, body]) => [name, body + CANARY])),
    ],
    [
      'reserved bytes of a tag',
      colourProfile(SRGB_TAGS.map(([name, body]) => [name, `${body.slice(0, 4)}Jane${body.slice(8)}`])),
    ],
    ['bytes after its end', concatBytes([colourProfile([...SRGB_TAGS]), asciiBytes(CANARY)])],
    [
      'bytes between its tags',
      changed(changed(withPrivateTag, 128, u32(6)), PRIVATE_AT, new Uint8Array(ENTRY)),
    ],
    ['the maker and the time in its header', changed(clean, 80, asciiBytes('Jane'))],
    ['its identifier', changed(clean, 84, asciiBytes(CANARY.slice(0, 16)))],
  ])('removes %s', (_, profile) => {
    expect(Buffer.from(cleanProfile(profile) ?? [])).toEqual(Buffer.from(clean));
  });

  it.each([
    ['keeps the name of a well-known space', 'Display P3', 'Display P3'],
    ['replaces any other name', 'Display of Jane', 'RGB'],
    ['replaces a name with more text behind it', 'Display P3 of Jane', 'RGB'],
  ])('%s', (_, name, written) => {
    const profile = colourProfile([['desc', description(name)], ...SRGB_TAGS]);
    expect(cleanProfile(profile)).toEqual(cleanedProfile(SRGB_TAGS, undefined, undefined, written));
  });

  it.each([
    ['has no signature', changed(clean, 36, asciiBytes('evil'))],
    ['gives a length beyond its end', changed(clean, 0, u32(clean.length + 1))],
    ['is longer than 4 MiB', colourProfile([...SRGB_TAGS, ['A2B0', 'x'.repeat(MAX_PROFILE_BYTES)]])],
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

describe('a profile of grey in an AVIF', () => {
  const grey = colourProfile([['kTRC', GAMMA]], 'mntrGRAYXYZ ');

  it.each([
    ['is kept in a picture of luma alone', true],
    ['is removed from a picture with colours', false],
  ])('%s', async (_, isGrey) => {
    const file = Buffer.from(await carriers.avif(grey));
    const monochrome = file.indexOf('av1C') + 4 + 2;
    if (isGrey) file.writeUInt8(file.readUInt8(monochrome) | 0x10, monochrome);
    const { scrubbed } = await scrub(imageInspectors.avif, file);
    expect(Buffer.from(scrubbed).includes('GRAY')).toBe(isGrey);
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
