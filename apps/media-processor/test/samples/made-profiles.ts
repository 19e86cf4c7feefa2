import { fixed, iccFile, u32 } from './icc-file';
import { xybProfile } from './xyb';

/** A profile with a name. */
export interface SampleProfile {
  readonly name: string;
  readonly profile: Buffer;
}

type Column = readonly [number, number, number];
type Curve = (value: number) => number;

const SRGB: readonly Column[] = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
];
const PRIMARIES: Readonly<Record<string, readonly Column[]>> = {
  sRGB: SRGB,
  'Display P3': [
    [0.5151, 0.2412, -0.0011],
    [0.292, 0.6922, 0.0419],
    [0.1571, 0.0666, 0.7841],
  ],
  'blue for red': [...SRGB].reverse(),
  'not adapted to D50': [
    [0.4124, 0.2126, 0.0193],
    [0.3576, 0.7152, 0.1192],
    [0.1805, 0.0722, 0.9505],
  ],
  'half of the light': SRGB.map(([x, y, z]): Column => [x / 2, y / 2, z / 2]),
  'negative primaries': [
    [0.9908, 0.3614, -0.0027],
    [0.0121, 0.7225, 0.0082],
    [-0.0386, -0.0839, 0.8194],
  ],
};
const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const lightness: Curve = (value) => (value > 0.08 ? ((value * 100 + 16) / 116) ** 3 : value / 9.033);

const tableOf = (curve: Curve, entries: number): Buffer => {
  const values = Buffer.alloc(entries * 2);
  for (let at = 0; at < entries; at++)
    values.writeUInt16BE(Math.round(65_535 * curve(at / (entries - 1))), at * 2);
  return Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), u32(entries), values]);
};
const CURVES: Readonly<Record<string, Buffer>> = {
  'linear light': Buffer.from('curv\0\0\0\0\0\0\0\0', 'latin1'),
  'a gamma of 1.8': Buffer.from('curv\0\0\0\0\0\0\0\x01\x01\xcd', 'latin1'),
  'the curve of sRGB': Buffer.concat([
    Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'),
    fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
  ]),
  'a table of L*': tableOf(lightness, 1024),
  'a table of 8,192 entries': tableOf(srgb, 8192),
  'the inverse': tableOf((value) => srgb(1 - value), 1024),
};

function matrixProfile(columns: readonly Column[], curve: Buffer, version: number): Buffer {
  const colours = columns.map((column) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), fixed(...column)]),
  );
  return iccFile('mntrRGB XYZ ', version, [
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, at) => [name, colours[at] ?? curve] as const),
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, curve] as const),
  ]);
}

/** `mft2` of a grid with these values (0 to 1). */
export function tableOfGrid(
  edge: number,
  valueOf: (r: number, g: number, b: number) => readonly number[],
): Buffer {
  const values: number[] = [];
  for (let at = 0; at < edge ** 3; at++) {
    const [r, g, b] = [edge * edge, edge, 1].map((stride) => (Math.floor(at / stride) % edge) / (edge - 1));
    values.push(...valueOf(r ?? 0, g ?? 0, b ?? 0));
  }
  const words = Buffer.alloc((2 + 6 + values.length + 6) * 2);
  [2 / 65_535, 2 / 65_535, 0, 1, 0, 1, 0, 1, ...values, 0, 1, 0, 1, 0, 1].forEach((value, at) =>
    words.writeUInt16BE(Math.round(Math.min(1, Math.max(0, value)) * 65_535), at * 2),
  );
  return Buffer.concat([
    Buffer.from(`mft2\0\0\0\0\x03\x03${String.fromCharCode(edge)}\0`, 'latin1'),
    fixed(1, 0, 0, 0, 1, 0, 0, 0, 1),
    words,
  ]);
}

const xyzOf = (r: number, g: number, b: number): number[] =>
  [0, 1, 2].map((axis) =>
    [r, g, b].reduce((sum, value, at) => sum + srgb(value) * (SRGB[at]?.[axis] ?? 0), 0),
  );

/** Lab of a colour in sRGB, encoded as 0 to 1; black has the lightness `black`. */
const labOf =
  (black: number) =>
  (r: number, g: number, b: number): number[] => {
    const white = [0.9642, 1, 0.8249];
    const [x = 0, y = 0, z = 0] = xyzOf(r, g, b).map((value, axis) => {
      const ratio = value / (white[axis] ?? 1);
      return ratio > 216 / 24_389 ? Math.cbrt(ratio) : ((ratio * 24_389) / 27 + 16) / 116;
    });
    const light = 116 * y - 16;
    return [
      (black + light * (1 - black / 100)) / 100,
      (500 * (x - y) + 128) / 255,
      (200 * (y - z) + 128) / 255,
    ];
  };

/** Profiles of all forms that programs write, and of some that only a test of colour management has. */
export const madeProfiles = (): SampleProfile[] => [
  ...Object.entries(PRIMARIES).flatMap(([space, columns]) =>
    Object.entries(CURVES).flatMap(([curve, tag]) =>
      [2, 4].map((version) => ({
        name: `${space}, ${curve}, version ${version}`,
        profile: matrixProfile(columns, tag, version),
      })),
    ),
  ),
  ...Object.entries(CURVES).map(([curve, tag]) => ({
    name: `grey, ${curve}`,
    profile: iccFile('mntrGRAYXYZ ', 2, [['kTRC', tag]]),
  })),
  { name: 'XYB', profile: xybProfile() },
  ...[2, 4].flatMap((version) => [
    {
      name: `a table, version ${version}`,
      profile: iccFile('scnrRGB Lab ', version, [['A2B0', tableOfGrid(17, labOf(0))]]),
    },
    {
      name: `a table with a light black, version ${version}`,
      profile: iccFile('spacRGB Lab ', version, [['A2B0', tableOfGrid(17, labOf(3.1373))]]),
    },
    {
      name: `a table of another intent, version ${version}`,
      profile: iccFile('prtrRGB Lab ', version, [['A2B1', tableOfGrid(9, labOf(1))]]),
    },
    {
      name: `a table in XYZ, version ${version}`,
      profile: iccFile('scnrRGB XYZ ', version, [['A2B0', tableOfGrid(17, xyzOf)]]),
    },
  ]),
];
