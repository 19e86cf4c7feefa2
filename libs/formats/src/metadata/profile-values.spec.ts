import { u16, u32 } from '../bytes/numbers';
import { asciiBytes, latin1 } from '../bytes/text';
import { UnsupportedVariantError } from '../errors/file-errors';
import { cleanedProfile, colourProfile, GAMMA, SRGB_TAGS, type Tag } from '../testing/colour-profiles';
import { cleanProfile } from './colour-profile';
import { readProfile, readTable } from './profile-reader';
import { tableConversion } from './table-colours';

const fixed = (...values: number[]): string =>
  latin1(u32(...values.map((value) => Math.round(value * 65_536) >>> 0)));
const xyz = (...values: number[]): string => `XYZ \0\0\0\0${fixed(...values)}`;
const gamma = (value: number): string => `curv\0\0\0\0\0\0\0\x01${latin1(u16(value * 256))}`;
const parametric = (kind: number, ...values: number[]): string =>
  `para\0\0\0\0${latin1(u16(kind, 0))}${fixed(...values)}`;
const table = (entries: readonly number[]): string =>
  `curv\0\0\0\0${latin1(u32(entries.length))}${latin1(u16(...entries))}`;
const rising = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.round(65_535 * (at / (count - 1)) ** 2.2));
const SRGB_CURVE = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);

/** The tags of sRGB with others in place of those of the same name. */
const withTags = (...others: readonly Tag[]): Tag[] =>
  SRGB_TAGS.map(([name, content]): Tag => [name, others.find((tag) => tag[0] === name)?.[1] ?? content]);
const withCurve = (curve: string): Tag[] => withTags(['gTRC', curve]);

/** A profile with a change of its header. */
function withHeader(at: number, ...bytes: number[]): Uint8Array {
  const profile = colourProfile();
  profile.set(bytes, at);
  return profile;
}

type Values = readonly number[];

/** All points of a grid of three outputs, as 0 to 1. */
const pointsOf = (inputs: number, edge: number, valueOf: (...places: number[]) => Values): number[] =>
  Array.from({ length: edge ** inputs }, (_, index) =>
    valueOf(
      ...Array.from(
        { length: inputs },
        (__, at) => (Math.floor(index / edge ** (inputs - 1 - at)) % edge) / (edge - 1),
      ),
    ),
  ).flat();

/** `mft1` or `mft2` with straight curves. */
function plainTable(
  type: 'mft1' | 'mft2',
  inputs: number,
  edge: number,
  valueOf: (...places: number[]) => Values,
): string {
  const isDeep = type === 'mft2';
  const coded = (values: readonly number[]): string =>
    isDeep
      ? latin1(u16(...values.map((value) => Math.round(value * 65_535))))
      : String.fromCharCode(...values.map((value) => Math.round(value * 255)));
  const curve = isDeep ? [0, 1] : Array.from({ length: 256 }, (_, at) => at / 255);
  return [
    `${type}\0\0\0\0${String.fromCharCode(inputs, 3, edge, 0)}${fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)}`,
    isDeep ? latin1(u16(2, 2)) : '',
    coded(Array.from({ length: inputs }, () => curve).flat()),
    coded(pointsOf(inputs, edge, valueOf)),
    coded([...curve, ...curve, ...curve]),
  ].join('');
}

/** `mAB ` with curves of light and a matrix of these factors. */
function matrixTable(curve: string, factors: Values): string {
  const none = 'curv\0\0\0\0\0\0\0\0';
  const matrixAt = 32 + 3 * none.length;
  const offsets = latin1(u32(32, matrixAt, matrixAt + 48, 0, 0));
  const padded = curve.padEnd(Math.ceil(curve.length / 4) * 4, '\0');
  return `mAB \0\0\0\0\x03\x03\0\0${offsets}${none.repeat(3)}${fixed(...factors, 0, 0, 0)}${padded.repeat(3)}`;
}

/** Lab of greys, from white to black with each ink. */
const inks = (...places: number[]): Values => [
  Math.max(0, 1 - places.reduce((sum, place) => sum + place, 0) / places.length),
  0.5,
  0.5,
];
/** Lab of a device whose values are lightness and colours. */
const lab = (...[r = 0, g = 0, b = 0]: number[]): Values => [
  0.1 + 0.9 * g,
  0.5 + (r - g) * 0.2,
  0.5 + (g - b) * 0.2,
];

/** What browsers show for some values of the device. */
function shown(profile: Uint8Array | null, samples: readonly Values[]): number[][] {
  const conversion = profile && tableConversion(profile);
  if (!conversion) throw new Error('The profile has no table');
  return samples.map((values) => {
    const colour = new Uint8Array(3);
    conversion.convert(Uint8Array.from(values), 0, colour, 0);
    return [...colour];
  });
}
const RGB_SAMPLES = pointsOf(3, 4, (...places) => places).reduce<number[][]>(
  (samples, value, at) =>
    at % 3 === 0
      ? [...samples, [value * 255]]
      : [...samples.slice(0, -1), [...(samples.at(-1) ?? []), value * 255]],
  [],
);
const INK_SAMPLES = [
  [0, 0, 0, 0],
  [255, 0, 30, 7],
  [90, 80, 70, 60],
  [255, 255, 255, 255],
];

/** A table of light with the primaries of sRGB, in the encoding of a connection space in XYZ. */
const LIGHT_TABLE = matrixTable(
  SRGB_CURVE,
  [0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141].map(
    (value) => value * (32_768 / 65_535),
  ),
);

describe('a cleaned profile', () => {
  it.each<[string, string]>([
    ['a power', GAMMA],
    ['linear light', 'curv\0\0\0\0\0\0\0\0'],
    ['a gamma of 1.8', gamma(1.8)],
    ['the function of sRGB', SRGB_CURVE],
    ['a table', table(rising(1024))],
    [
      'a table that becomes white before its end',
      table(rising(256).map((light) => Math.min(65_535, Math.round(light * 1.1)))),
    ],
    ['a table that falls', table(rising(256).reverse())],
  ])('keeps the tone curve of %s', (_, curve) => {
    expect(cleanProfile(colourProfile(withCurve(curve)))).toEqual(cleanedProfile(withCurve(curve)));
  });

  it('keeps a longer table as one of 4,096 entries', () => {
    const clean = cleanProfile(colourProfile(withCurve(table(rising(8191)))));
    expect(clean).toEqual(cleanedProfile(withCurve(table(rising(4096)))));
  });

  it('keeps primaries in another order, which turn blue into red', () => {
    const swapped = withTags(['rXYZ', SRGB_TAGS[2]?.[1] ?? ''], ['bXYZ', SRGB_TAGS[0]?.[1] ?? '']);
    expect(cleanProfile(colourProfile(swapped))).toEqual(cleanedProfile(swapped));
  });

  it('keeps the first of several tags of a name', () => {
    const twice = colourProfile([...SRGB_TAGS, ['gTRC', gamma(1.1)]]);
    expect(cleanProfile(twice)).toEqual(cleanedProfile(SRGB_TAGS));
  });

  it('keeps a profile only for the colour space of the pixels', () => {
    const grey = colourProfile([['kTRC', GAMMA]], 'mntrGRAYXYZ ');
    expect(cleanProfile(grey, ['GRAY'])).toEqual(cleanedProfile([['kTRC', GAMMA]], 'mntrGRAYXYZ '));
    expect(cleanProfile(grey, ['RGB '])).toBeNull();
    expect(cleanProfile(colourProfile(), ['GRAY'])).toBeNull();
  });

  it('writes a curve of grey to lightness, which Chromium ignores, as one to luminance', () => {
    const clean = cleanProfile(colourProfile([['kTRC', gamma(1)]], 'mntrGRAYLab '));
    const light = Array.from({ length: 1024 }, (_, at) => {
      const lightness = (100 * at) / 1023;
      return Math.round(65_535 * (lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / 903.3));
    });
    expect(clean).toEqual(cleanedProfile([['kTRC', table(light)]], 'mntrGRAYXYZ '));
  });

  it.each<[string, Tag[]]>([
    ['that are not white together, which Firefox ignores', withTags(['rXYZ', xyz(0.2, 0.1, 0.006)])],
    ['below zero', withTags(['rXYZ', xyz(-0.1, 0.2225, 0.0139)], ['gXYZ', xyz(0.9212, 0.7169, 0.0971)])],
  ])('has a table in place of primaries %s', (_, tags) => {
    const clean = cleanProfile(colourProfile(tags));
    const [red = [], black = []] = shown(clean, [
      [255, 0, 0],
      [0, 0, 0],
    ]);
    expect(latin1(clean ?? new Uint8Array())).not.toContain('rXYZ');
    // Red is darker than that of sRGB.
    expect(red[0]).toBeLessThan(200);
    expect(black).toEqual([0, 0, 0]);
    expect(cleanProfile(clean ?? new Uint8Array())).toBe(clean);
  });

  it.each<[string, Uint8Array]>([
    ['of 8 bits', colourProfile([['A2B0', plainTable('mft1', 3, 9, lab)]], 'scnrRGB Lab ')],
    ['of 16 bits', colourProfile([['A2B0', plainTable('mft2', 3, 9, lab)]], 'scnrRGB Lab ')],
    [
      'of 16 bits in XYZ',
      colourProfile(
        [['A2B0', plainTable('mft2', 3, 9, (r, g, b) => [r ?? 0, g ?? 0, b ?? 0])]],
        'spacRGB XYZ ',
      ),
    ],
    ['of light', colourProfile([['A2B0', LIGHT_TABLE]], 'scnrRGB XYZ ')],
    ['only of another intent', colourProfile([['A2B1', plainTable('mft2', 3, 9, lab)]], 'scnrRGB Lab ')],
    ['beside primaries', colourProfile([...SRGB_TAGS, ['A2B0', LIGHT_TABLE]])],
  ])('shows in browsers what its table %s showed', (_, profile) => {
    const clean = cleanProfile(profile) ?? new Uint8Array();
    expect(shown(clean, RGB_SAMPLES)).toEqual(shown(profile, RGB_SAMPLES));
    // Little CMS makes black darker for version 4, and reads the values of other tables in another way than Skia.
    expect(clean[8]).toBe(2);
    expect(latin1(clean)).toMatch(/A2B0.*mAB /s);
    expect(latin1(clean)).not.toMatch(/mft|A2B1|rXYZ/);
    expect(cleanProfile(clean)).toBe(clean);
  });

  it('shows the colours of sRGB for a table of them', () => {
    expect(shown(colourProfile([['A2B0', LIGHT_TABLE]], 'scnrRGB XYZ '), RGB_SAMPLES)).toEqual(RGB_SAMPLES);
  });

  it('shows in browsers what its table of inks showed', () => {
    const profile = colourProfile([['A2B0', plainTable('mft1', 4, 5, inks)]], 'prtrCMYKLab ');
    const clean = cleanProfile(profile);
    expect(shown(clean, INK_SAMPLES)).toEqual(shown(profile, INK_SAMPLES));
    expect(shown(clean, INK_SAMPLES)[0]).toEqual([255, 255, 255]);
  });

  it('has more points where programs would interpolate between few in different ways', () => {
    const corner = plainTable('mft2', 3, 2, (c = 0, m = 0) => [c === m ? 0.1 : 0.9, 0.5, 0.5]);
    const profile = colourProfile([['A2B0', corner]], 'scnrRGB Lab ');
    const clean = cleanProfile(profile) ?? new Uint8Array();
    const read = readProfile(clean, ['RGB ']);
    expect(read && readTable(read)?.grid?.sizes).toEqual([33, 33, 33]);
    const [before = [], after = []] = [profile, clean].map((one) => shown(one, RGB_SAMPLES).flat());
    expect(Math.max(...before.map((value, at) => Math.abs(value - (after[at] ?? 0))))).toBeLessThanOrEqual(2);
  });
});

describe('a profile that browsers ignore', () => {
  it.each<[string, Uint8Array]>([
    ['an abstract profile', colourProfile(SRGB_TAGS, 'abstRGB XYZ ')],
    ['a link between devices', colourProfile(SRGB_TAGS, 'linkRGB XYZ ')],
    ['an unknown class', colourProfile(SRGB_TAGS, 'xxxxRGB XYZ ')],
    ['an unknown colour space', colourProfile(SRGB_TAGS, 'mntrXYZ XYZ ')],
    ['primaries in Lab', colourProfile(SRGB_TAGS, 'mntrRGB Lab ')],
    ['version 5', withHeader(8, 5)],
    ['version 1', withHeader(8, 1)],
    ['an unknown rendering intent', withHeader(67, 4)],
    ['another illuminant than D50', withHeader(68, 0, 0, 0, 0)],
    ['no tone curve for blue', colourProfile(SRGB_TAGS.slice(0, 5))],
    ['a primary of another type', colourProfile(withTags(['rXYZ', GAMMA]))],
    ['a negative power', colourProfile(withCurve(parametric(0, -3)))],
    ['a negative factor', colourProfile(withCurve(parametric(3, 1, -1, 1, 0, 0)))],
    ['an unknown function', colourProfile(withCurve(parametric(9, 2.2)))],
    ['a curve of an unknown type', colourProfile(withCurve('text\0\0\0\0power'))],
    ['too few bytes of a curve', colourProfile(withCurve(table(rising(256)).slice(0, 400)))],
    ['no table for inks', colourProfile(SRGB_TAGS, 'prtrCMYKXYZ ')],
    ['a table of another type', colourProfile([['A2B0', `text${LIGHT_TABLE.slice(4)}`]], 'scnrRGB XYZ ')],
    ['a table for another number of inks', colourProfile([['A2B0', LIGHT_TABLE]], 'prtrCMYKXYZ ')],
    [
      'a table that is too short',
      colourProfile([['A2B0', plainTable('mft2', 3, 9, lab).slice(0, -100)]], 'scnrRGB Lab '),
    ],
  ])('is removed: %s', (_, profile) => {
    expect(cleanProfile(profile)).toBeNull();
  });
});

describe('a profile with jumps, which turn errors of decoders into pictures', () => {
  const refused = (profile: Uint8Array): void =>
    expect(() => cleanProfile(profile)).toThrow(
      new UnsupportedVariantError('A picture whose colour profile has jumps is not supported.'),
    );

  // Promise [formats]: A profile that programs would read differently is refused by name.
  it.each<[string, string]>([
    ['a gamma of 100', gamma(100)],
    ['a step', table(rising(256).map((light, at) => Math.min(65_535, at > 200 ? light + 19_000 : light)))],
    ['a curve that alternates', table(rising(256).map((light, at) => (at % 2 ? light : 0)))],
  ])('is refused by name: %s', (_, curve) => {
    refused(colourProfile(withCurve(curve)));
  });

  it('is refused by name: a table whose points alternate', () => {
    const alternating = plainTable('mft2', 3, 33, (r = 0) => [Math.round(r * 32) % 2, 0.5, 0.5]);
    refused(colourProfile([['A2B0', alternating]], 'scnrRGB Lab '));
  });
});

describe('tableConversion', () => {
  it('is null for a profile without a table', () => {
    expect(tableConversion(colourProfile())).toBeNull();
    expect(tableConversion(asciiBytes('no profile'))).toBeNull();
  });
});
