import { concatBytes } from '../bytes/arrays';
import { asciiBytes } from '../bytes/text';

/** Bits in the order of the stream: each number with its width, the least significant bit first. */
type Bits = readonly (readonly [value: number, width: number])[];

function pack(bits: Bits): Uint8Array {
  const stream = bits.flatMap(([value, width]) => Array.from({ length: width }, (_, i) => (value >> i) & 1));
  const bytes = new Uint8Array(Math.ceil(stream.length / 8));
  stream.forEach((bit, i) => (bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (bit << (i & 7))));
  return bytes;
}

export interface JxlOptions {
  /** Names of frames, of 16 to 47 letters each; several names make an animation. */
  readonly names?: readonly string[];
  readonly hasPreview?: boolean;
  readonly hasProfile?: boolean;
  readonly isPermuted?: boolean;
}

/**
 * A codestream of 24 × 16 stored pixels with orientation 6, whose frames hold the bytes `pixels` instead of a
 * picture.
 */
export function jxlCodestream(options: JxlOptions = {}): Uint8Array {
  const { names = ['a name of 16 letters'], hasPreview = false, hasProfile = false } = options;
  const isAnimated = names.length > 1;
  const header: Bits = [
    ...([
      [1, 1],
      [1, 5],
      [0, 3],
      [2, 5],
    ] as const), // small; height 8 × 2; no ratio; width 8 × 3
    ...([
      [0, 1],
      [1, 1],
      [5, 3],
    ] as const), // not all default; extra fields; orientation 6
    ...([
      [0, 1],
      [hasPreview ? 1 : 0, 1],
      [isAnimated ? 1 : 0, 1],
    ] as const),
    ...(isAnimated
      ? ([
          [0, 2],
          [0, 2],
          [0, 2],
          [0, 1],
        ] as const)
      : []),
    ...([
      [0, 1],
      [0, 2],
      [1, 1],
      [0, 2],
      [1, 1],
    ] as const), // 8 bits; no extra channels; XYB
    ...(hasProfile
      ? ([
          [0, 1],
          [1, 1],
          [0, 2],
        ] as const)
      : ([[1, 1]] as const)),
    ...([
      [1, 1],
      [0, 2],
      [1, 1],
    ] as const), // default tone mapping; no extensions; default transform
  ];
  const frames = names.map((name, i) =>
    frame(name, isAnimated, i === names.length - 1, options.isPermuted ?? false),
  );
  return concatBytes([Uint8Array.of(0xff, 0x0a), pack(header), ...frames]);
}

function frame(name: string, isAnimated: boolean, isLast: boolean, isPermuted: boolean): Uint8Array {
  const payload = asciiBytes('pixels');
  const canBeReferred = !isLast && !isAnimated;
  const header: Bits = [
    ...([
      [0, 1],
      [0, 2],
      [0, 1],
      [0, 2],
      [0, 2],
      [0, 6],
      [0, 2],
      [0, 1],
    ] as const), // regular, up to no crop
    [0, 2], // replaces
    ...(isAnimated ? ([[1, 2]] as const) : []), // lasts one tick
    [isLast ? 1 : 0, 1],
    ...(isLast ? [] : ([[0, 2]] as const)),
    ...(canBeReferred ? ([[0, 1]] as const) : []),
    ...([
      [2, 2],
      [name.length - 16, 5],
    ] as const),
    ...Array.from(asciiBytes(name), (letter) => [letter, 8] as const),
    ...([
      [1, 1],
      [0, 2],
      [isPermuted ? 1 : 0, 1],
    ] as const), // default filter; no extensions
  ];
  return concatBytes([
    pack(header),
    pack([
      [0, 2],
      [payload.length, 10],
    ]),
    payload,
  ]);
}
