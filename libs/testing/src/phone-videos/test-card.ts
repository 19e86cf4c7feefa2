/** Red, green and blue from 0 to 255, as sRGB means them. */
export type Rgb = readonly [number, number, number];

/** The corners of the picture that every sample shows, upright. */
export const PATCHES = {
  topLeft: [255, 255, 255],
  topRight: [220, 40, 40],
  bottomLeft: [128, 128, 128],
  bottomRight: [224, 172, 144],
} as const satisfies Record<string, Rgb>;

/** Pixels of each edge of a test card. */
const CARD_EDGE = 64;

/** Candela per square metre of a white page in HDR (ITU-R BT.2408). */
const DIFFUSE_WHITE = 203;
const HLG_PEAK = 1000;

/** BT.709's light in BT.2020's primaries (ITU-R BT.2087, table 2). */
const TO_BT2020 = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
] as const;

/** The card as raw RGB, 8 bits. */
export function sdrCard(): Buffer {
  return Buffer.from(pixelsOfCard().flat());
}

/** The card as raw 4:2:0 of 10 bits, limited range, in BT.2020, its white at 203 cd/m². */
export function hdrCard(transfer: 'hlg' | 'pq'): Buffer {
  const planes = pixelsOfCard().map((colour) => hdrSample(colour, transfer));
  const luma = planes.map(([y]) => y);
  const isEven = (_: unknown, index: number): boolean =>
    index % 2 === 0 && Math.floor(index / CARD_EDGE) % 2 === 0;
  const chroma = planes.filter(isEven);
  return Buffer.from(
    Uint16Array.from([...luma, ...chroma.map(([, u]) => u), ...chroma.map(([, , v]) => v)]).buffer,
  );
}

function pixelsOfCard(): Rgb[] {
  const { topLeft, topRight, bottomLeft, bottomRight } = PATCHES;
  const half = CARD_EDGE / 2;
  const row = (left: Rgb, right: Rgb): Rgb[] =>
    Array.from({ length: CARD_EDGE }, (_, x) => (x < half ? left : right));
  return Array.from({ length: CARD_EDGE }, (_, y) =>
    y < half ? row(topLeft, topRight) : row(bottomLeft, bottomRight),
  ).flat();
}

/** Luma and colour differences of 10 bits (ITU-R BT.2100, tables 4 to 9). */
function hdrSample(colour: Rgb, transfer: 'hlg' | 'pq'): [number, number, number] {
  const light = colour.map((value) => linear(value / 255) * DIFFUSE_WHITE);
  const wide = TO_BT2020.map((row) => row.reduce((sum, weight, i) => sum + weight * (light[i] ?? 0), 0));
  const [r = 0, g = 0, b = 0] = transfer === 'pq' ? wide.map(pqSignal) : hlgSignals(wide);
  const y = luminance([r, g, b]);
  return [
    Math.round(64 + 876 * y),
    Math.round(512 + (896 * (b - y)) / 1.8814),
    Math.round(512 + (896 * (r - y)) / 1.4746),
  ];
}

const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const luminance = ([r = 0, g = 0, b = 0]: readonly number[]): number => 0.2627 * r + 0.678 * g + 0.0593 * b;

/** SMPTE ST 2084's inverse curve. */
function pqSignal(nits: number): number {
  const y = (nits / 10_000) ** (2610 / 16_384);
  return ((3424 / 4096 + (2413 / 128) * y) / (1 + (2392 / 128) * y)) ** (2523 / 32);
}

/** HLG's inverse system gamma of 1.2, then its curve. */
function hlgSignals(nits: readonly number[]): number[] {
  const shown = luminance(nits) / HLG_PEAK;
  return nits.map((value) => {
    const scene = (value / HLG_PEAK) * shown ** ((1 - 1.2) / 1.2);
    return scene <= 1 / 12
      ? Math.sqrt(3 * scene)
      : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073;
  });
}
