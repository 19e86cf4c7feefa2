import sharp from 'sharp';

export type Triple = [number, number, number];

/**
 * Patches in sRGB, 0 to 255, three in a row. None is at the edge of the gamut, so that every colour space can hold
 * them.
 */
export const PATCHES: readonly Triple[] = [
  [200, 60, 50],
  [70, 160, 70],
  [50, 70, 170],
  [220, 190, 60],
  [128, 128, 128],
  [240, 240, 240],
];
const PATCH = 64;
export const PATCHES_SIZE = { width: 3 * PATCH, height: 2 * PATCH };

/** The encoding of light (linear sRGB, 1 is white) as three numbers from 0 to 1. */
export type Coding = (light: Triple) => Triple;

/** The patches as 16-bit samples, written by `coding`. */
export function codedPatches(coding: Coding, patches = PATCHES): Buffer {
  const { width, height } = PATCHES_SIZE;
  const out = Buffer.alloc(width * height * 6);
  const codes = patches.map((patch) => coding(linear(patch)).map((value) => Math.round(value * 65_535)));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const code = codes[Math.floor(y / PATCH) * 3 + Math.floor(x / PATCH)] ?? [];
      for (const value of code) at = out.writeUInt16LE(Math.min(65_535, Math.max(0, value)), at);
    }
  }
  return out;
}

/** These samples as a sharp pipeline of 16-bit pixels. */
export const patchPicture = (samples: Buffer): sharp.Sharp =>
  sharp(new Uint16Array(samples.buffer, samples.byteOffset, samples.length / 2), {
    raw: { ...PATCHES_SIZE, channels: 3 },
  }).toColourspace('rgb16');

/** The mean colours at the centres of the six patches of a picture of any size. */
export async function patchesOf(file: Buffer): Promise<Triple[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return PATCHES.map((_, index) => {
    const [left, top] = [(index % 3) / 3 + 1 / 6, Math.floor(index / 3) / 2 + 1 / 4];
    const at = (Math.floor(top * info.height) * info.width + Math.floor(left * info.width)) * info.channels;
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
  });
}

/** The mean of CIE76 differences between two lists of sRGB colours. */
export function meanDeltaE(made: readonly Triple[], expected: readonly Triple[]): number {
  const sum = made.reduce((total, colour, index) => {
    const [a, b] = [labOf(colour), labOf(expected[index] ?? [0, 0, 0])];
    return total + Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }, 0);
  return sum / made.length;
}

/** CIE L*, a*, b* of an sRGB colour. */
export function labOf(colour: Triple): Triple {
  const [x, y, z] = times(SRGB_TO_XYZ, linear(colour)).map((value, index) =>
    ((ratio) => (ratio > 0.008856 ? Math.cbrt(ratio) : 7.787 * ratio + 16 / 116))(
      value / ([0.9505, 1, 1.089][index] ?? 1),
    ),
  ) as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Hue in degrees. */
export function hueOf(colour: Triple): number {
  const [, a, b] = labOf(colour);
  return (Math.atan2(b, a) * 180) / Math.PI;
}

export const linear = (colour: Triple): Triple =>
  colour.map((value) => {
    const code = value / 255;
    return code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;
  }) as Triple;

export type Rows = readonly [Triple, Triple, Triple];
export const times = (matrix: Rows, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Triple;

const SRGB_TO_XYZ: Rows = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];
/** ITU-R BT.2087, 2: from BT.709 to BT.2020. */
const SRGB_TO_BT2020: Rows = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
];
/** From sRGB to Display P3 (CSS Color 4). */
const SRGB_TO_P3: Rows = [
  [0.822462, 0.177538, 0],
  [0.033194, 0.966806, 0],
  [0.017083, 0.072397, 0.91052],
];

/** SMPTE ST 2084; white is 203 cd/m². */
export const pq: Coding = (light) =>
  times(SRGB_TO_BT2020, light).map((value) => {
    const power = ((Math.max(0, value) * 203) / 10_000) ** 0.1593017578125;
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
  }) as Triple;

/** ITU-R BT.2100's HLG for a display of 1,000 cd/m²; white is 203 cd/m². */
export const hlg: Coding = (light) => {
  const shown = times(SRGB_TO_BT2020, light).map((value) => (Math.max(0, value) * 203) / 1000) as Triple;
  const luminance = 0.2627 * shown[0] + 0.678 * shown[1] + 0.0593 * shown[2];
  return shown.map((value) => {
    const scene = luminance > 0 ? value * luminance ** (-0.2 / 1.2) : 0;
    return scene <= 1 / 12
      ? Math.sqrt(3 * scene)
      : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073;
  }) as Triple;
};

const srgbCurve = (value: number): number =>
  value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;

export const displayP3: Coding = (light) => times(SRGB_TO_P3, light).map(srgbCurve) as Triple;

/** Columns: red, green and blue in CIE XYZ under D50, as in ICC profiles. */
const SRGB_D50: Rows = [
  [0.4361, 0.3851, 0.1431],
  [0.2225, 0.7169, 0.0606],
  [0.0139, 0.0971, 0.7141],
];

export interface RgbSpace {
  readonly toXyz: Rows;
  readonly fromXyz: Rows;
  readonly gamma: number;
}
/** sRGB with a power function, as in some of its profiles. */
export const SRGB_GAMMA: RgbSpace = {
  toXyz: SRGB_D50,
  fromXyz: [
    [3.1339, -1.6169, -0.4906],
    [-0.9788, 1.9161, 0.0335],
    [0.0719, -0.229, 1.4052],
  ],
  gamma: 2.2,
};
export const ADOBE_RGB: RgbSpace = {
  toXyz: [
    [0.60974, 0.20528, 0.14919],
    [0.31111, 0.62567, 0.06322],
    [0.01947, 0.06087, 0.74457],
  ],
  fromXyz: [
    [1.96253, -0.61068, -0.34137],
    [-0.97876, 1.91615, 0.03342],
    [0.02869, -0.14067, 1.34926],
  ],
  gamma: 563 / 256,
};
export const PRO_PHOTO: RgbSpace = {
  toXyz: [
    [0.79767, 0.13519, 0.03134],
    [0.28804, 0.71188, 0.00009],
    [0, 0, 0.8251],
  ],
  fromXyz: [
    [1.34595, -0.25561, -0.05111],
    [-0.5446, 1.50817, 0.02053],
    [0, 0, 1.21197],
  ],
  gamma: 461 / 256,
};

export const inSpace =
  ({ fromXyz, gamma }: RgbSpace): Coding =>
  (light) =>
    times(fromXyz, times(SRGB_D50, light)).map((value) => Math.max(0, value) ** (1 / gamma)) as Triple;

/** A tag of the type `XYZ `. */
function xyz(values: readonly number[]): Buffer {
  const body = Buffer.alloc(20);
  body.write('XYZ ', 'latin1');
  values.forEach((value, index) => body.writeInt32BE(Math.round(value * 65_536), 8 + index * 4));
  return body;
}

/** A tag of the type `curv`. */
function gammaCurve(gamma: number): Buffer {
  const curve = Buffer.alloc(16);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(1, 8);
  curve.writeUInt16BE(Math.round(gamma * 256), 12);
  return curve;
}

/** A matrix profile (ICC.1:2001-04) of a space. */
export function profileOf({ toXyz, gamma }: RgbSpace): Buffer {
  const column = (index: 0 | 1 | 2): Buffer => xyz(toXyz.map((row) => row[index]));
  const curve = gammaCurve(gamma);
  return writeProfile('RGB ', [
    ['rXYZ', column(0)],
    ['gXYZ', column(1)],
    ['bXYZ', column(2)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

/** A profile of grey (ICC.1:2001-04) with a gamma. */
export const greyProfileOf = (gamma: number): Buffer => writeProfile('GRAY', [['kTRC', gammaCurve(gamma)]]);

function writeProfile(space: string, colours: readonly (readonly [string, Buffer])[]): Buffer {
  const description = Buffer.alloc(96);
  description.write('desc', 'latin1');
  description.writeUInt32BE(2, 8);
  description.write('p', 12, 'latin1');
  const copyright = Buffer.from('text\0\0\0\0none\0\0\0\0', 'latin1');
  const tags = [
    ['desc', description],
    ['cprt', copyright],
    ['wtpt', xyz([0.9642, 1, 0.8249])],
    ...colours,
  ] as const;
  const head = Buffer.alloc(132 + tags.length * 12);
  const length = head.length + tags.reduce((sum, [, body]) => sum + body.length, 0);
  head.writeUInt32BE(length, 0);
  head.writeUInt32BE(0x02400000, 8);
  head.write(`mntr${space}XYZ `, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  [0.9642, 1, 0.8249].forEach((value, index) =>
    head.writeInt32BE(Math.round(value * 65_536), 68 + index * 4),
  );
  head.writeUInt32BE(tags.length, 128);
  let at = head.length;
  for (const [index, [name, body]] of tags.entries()) {
    head.write(name, 132 + index * 12, 'latin1');
    head.writeUInt32BE(at, 136 + index * 12);
    head.writeUInt32BE(body.length, 140 + index * 12);
    at += body.length;
  }
  return Buffer.concat([head, ...tags.map(([, body]) => body)]);
}

/** CIE76 difference below which two adjacent colours look the same. */
export const SAME = 2.3;
