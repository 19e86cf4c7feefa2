import sharp from 'sharp';
import { u16, u32 } from '../bytes/numbers';
import { ascii, latin1 } from '../bytes/text';
import { colourProfile, GAMMA, SRGB_TAGS } from '../testing/colour-profiles';
import { cleanProfile } from './colour-profile';

type Tag = readonly [name: string, content: string];

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

/** The tags of sRGB with others in place of those of the same name, or behind them. */
const withTags = (...others: readonly Tag[]): Tag[] => [
  ...SRGB_TAGS.map(([name, content]): Tag => [name, others.find((tag) => tag[0] === name)?.[1] ?? content]),
  ...others.filter((tag) => SRGB_TAGS.every(([name]) => name !== tag[0])),
];
const withCurve = (curve: string): Uint8Array => colourProfile(withTags(['gTRC', curve]));

/** A profile with a change of its header. */
function withHeader(at: number, ...bytes: number[]): Uint8Array {
  const profile = colourProfile();
  profile.set(bytes, at);
  return profile;
}

const namesIn = (profile: Uint8Array | null): string[] =>
  profile ? Array.from({ length: profile[131] ?? 0 }, (_, at) => ascii(profile, 132 + at * 12, 4)) : [];

/** A table of 8 bits: straight curves, and points with these values of 0 to 255 for their place on each axis. */
function lookUp(inputs: number, grid: number, valueOf: (...places: number[]) => number): string {
  const curve = Array.from({ length: 256 }, (_, at) => at);
  const points = Array.from({ length: grid ** inputs }, (_, index) => {
    const places = Array.from(
      { length: inputs },
      (__, at) => Math.floor(index / grid ** (inputs - 1 - at)) % grid,
    );
    return Array.from({ length: 3 }, () => valueOf(...places));
  });
  const bytes = [...Array.from({ length: inputs }, () => curve), ...points, curve, curve, curve].flat();
  return `mft1\0\0\0\0${String.fromCharCode(inputs, 3, grid, 0)}${fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)}${String.fromCharCode(...bytes)}`;
}
const lighter = lookUp(4, 5, (c = 0, m = 0, y = 0, k = 0) => 255 - 15 * (c + m + y + k));
const darker = lookUp(4, 5, (c = 0, m = 0, y = 0, k = 0) => 250 - 15 * (c + m + y + k));

describe('plainTags', () => {
  it.each<[string, Uint8Array]>([
    ['a power', colourProfile()],
    ['linear light', withCurve('curv\0\0\0\0\0\0\0\0')],
    ['a gamma of 1.8', withCurve(gamma(1.8))],
    ['the function of sRGB', withCurve(parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))],
    ['a table', withCurve(table(rising(1024)))],
  ])('keeps a profile with the tone curve of %s', (_, profile) => {
    expect(cleanProfile(profile)).toBe(profile);
  });

  it.each(['srgb', 'p3', 'cmyk'] as const)('keeps the colours of a real profile of %s', async (name) => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c86432' } });
    const file = await picture.withIccProfile(name).jpeg().toBuffer();
    const { icc } = await sharp(file).metadata();
    expect(namesIn(cleanProfile(icc ?? new Uint8Array()))).toEqual(
      expect.arrayContaining(name === 'cmyk' ? ['A2B0', 'A2B1', 'B2A0'] : ['rXYZ', 'gTRC']),
    );
  });

  it.each<[string, Uint8Array]>([
    ['an abstract profile', colourProfile(undefined, 'abstRGB XYZ ')],
    ['a link between devices', colourProfile(undefined, 'linkRGB XYZ ')],
    ['an unknown class', colourProfile(undefined, 'xxxxRGB XYZ ')],
    ['an unknown colour space', colourProfile(undefined, 'mntrXYZ XYZ ')],
    ['primaries in Lab', colourProfile(undefined, 'mntrRGB Lab ')],
    ['version 5', withHeader(8, 5)],
    ['version 1', withHeader(8, 1)],
    ['an unknown rendering intent', withHeader(67, 4)],
    ['another illuminant than D50', withHeader(68, 0, 0, 0, 0)],
    ['no tone curve for blue', colourProfile(SRGB_TAGS.slice(0, 5))],
    ['primaries that are not white together', colourProfile(withTags(['rXYZ', xyz(0.6, 0.3, 0.02)]))],
    [
      'three equal primaries',
      colourProfile(
        withTags(...['rXYZ', 'gXYZ', 'bXYZ'].map((name): Tag => [name, xyz(0.3214, 0.3333, 0.275)])),
      ),
    ],
    [
      'a negative primary',
      colourProfile(withTags(['rXYZ', xyz(-0.1, 0.2225, 0.0139)], ['gXYZ', xyz(0.9212, 0.7169, 0.0971)])),
    ],
    ['a primary of another type', colourProfile(withTags(['rXYZ', GAMMA]))],
  ])('refuses a profile with %s', (_, profile) => {
    expect(cleanProfile(profile)).toBeNull();
  });

  it.each<[string, string]>([
    ['a negative power', parametric(0, -3)],
    ['a negative factor', parametric(3, 1, -1, 1, 0, 0)],
    ['a gamma of 0', gamma(0)],
    ['a gamma of 100', gamma(100)],
    ['an unknown function', parametric(9, 2.2)],
    ['an unknown type', 'text\0\0\0\0power'],
    ['too few bytes', table(rising(256)).slice(0, 400)],
    ['more than 4,096 entries', table(rising(4097))],
    ['a fall', table(rising(256).map((light, at) => (at === 200 ? light - 3000 : light)))],
    ['a step', table(rising(256).map((light, at) => Math.min(65_535, at > 200 ? light + 9000 : light)))],
    ['white before its end', table(rising(256).map((light, at) => (at > 160 ? 65_535 : light)))],
    ['the inverse', table(rising(256).reverse())],
  ])('refuses a profile whose tone curve has %s', (_, curve) => {
    expect(cleanProfile(withCurve(curve))).toBeNull();
  });

  it('keeps the first of several tags of a name', () => {
    const twice = colourProfile([...SRGB_TAGS, ['gTRC', gamma(100)]]);
    expect(cleanProfile(twice)).toEqual(colourProfile(SRGB_TAGS));
    expect(cleanProfile(colourProfile([['gTRC', gamma(100)], ...SRGB_TAGS]))).toBeNull();
  });

  it('removes what only some programs read beside primaries', () => {
    const others = ['A2B0', 'A2B1', 'B2A0', 'D2B0', 'B2D0', 'cicp'].map((name): Tag => [name, lighter]);
    expect(cleanProfile(colourProfile(withTags(...others)))).toEqual(colourProfile(SRGB_TAGS));
  });

  it('keeps a profile only for the colour space of the pixels', () => {
    const grey = colourProfile([['kTRC', GAMMA]], 'mntrGRAYXYZ ');
    expect(cleanProfile(grey, ['GRAY'])).toBe(grey);
    expect(cleanProfile(grey, ['RGB '])).toBeNull();
    expect(cleanProfile(colourProfile(), ['GRAY'])).toBeNull();
    expect(cleanProfile(colourProfile([['kTRC', GAMMA]], 'mntrGRAYLab '))).toBeNull();
  });

  it('makes the table of one intent stand for all of them', () => {
    const profile = colourProfile(
      [
        ['A2B0', lighter],
        ['A2B1', darker],
        ['B2A0', 'a table'],
      ],
      'prtrCMYKLab ',
    );
    const clean = cleanProfile(profile) as Uint8Array;
    expect(namesIn(clean)).toEqual(['A2B0', 'A2B1', 'B2A0']);
    expect(clean.slice(136, 144)).toEqual(clean.slice(148, 156));
    expect(latin1(clean)).toContain(lighter);
    expect(latin1(clean)).not.toContain(darker);
  });

  it.each<[string, string]>([
    ['only of another intent', ''],
    ['of points that alternate', lookUp(4, 5, (c = 0) => (c % 2) * 200)],
    ['with a corner that only some interpolate', lookUp(4, 2, (c = 0, m = 0) => (c ^ m) * 200)],
    ['for another number of inks', lookUp(3, 5, (c = 0) => 255 - 15 * c)],
    ['of another type', lighter.replace('mft1', 'mAB ')],
    ['that is too short', lighter.slice(0, -100)],
  ])('refuses a profile of CMYK with a table %s', (_, content) => {
    const tags: Tag[] = content ? [['A2B0', content]] : [['A2B1', lighter]];
    expect(cleanProfile(colourProfile(tags, 'prtrCMYKLab '))).toBeNull();
  });

  it('refuses a profile of CMYK with a table in XYZ', () => {
    expect(cleanProfile(colourProfile([['A2B0', lighter]], 'prtrCMYKXYZ '))).toBeNull();
    expect(cleanProfile(colourProfile([['A2B0', lighter]], 'prtrCMYKLab '))).not.toBeNull();
  });
});
