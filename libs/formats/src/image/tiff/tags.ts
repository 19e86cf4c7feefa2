// Tags of TIFF 6.0 and its supplements that this reader uses by name.
export const NEW_SUBFILE_TYPE = 254;
export const SUBFILE_TYPE = 255;
export const IMAGE_WIDTH = 256;
export const IMAGE_LENGTH = 257;
export const BITS_PER_SAMPLE = 258;
export const COMPRESSION = 259;
export const PHOTOMETRIC = 262;
export const STRIP_OFFSETS = 273;
export const ORIENTATION = 274;
export const SAMPLES_PER_PIXEL = 277;
export const STRIP_BYTE_COUNTS = 279;
export const PLANAR_CONFIGURATION = 284;
export const SOFTWARE = 305;
export const TILE_OFFSETS = 324;
export const TILE_BYTE_COUNTS = 325;
export const SUB_IFDS = 330;
export const SAMPLE_FORMAT = 339;
export const JPEG_TABLES = 347;
export const ICC_PROFILE = 34675;
export const DNG_VERSION = 50706;

const KIB = 1024;

/**
 * The tags that showing a picture needs, with the largest number of bytes of each value. Everything else is removed:
 * places, people, devices, software, texts, dates, previews, and unknown tags.
 */
const KEPT_TAGS: ReadonlyMap<number, number> = new Map([
  ...[
    ...[
      NEW_SUBFILE_TYPE,
      SUBFILE_TYPE,
      IMAGE_WIDTH,
      IMAGE_LENGTH,
      BITS_PER_SAMPLE,
      COMPRESSION,
      PHOTOMETRIC,
      263,
      266,
    ],
    ...[
      ORIENTATION,
      SAMPLES_PER_PIXEL,
      278,
      282,
      283,
      PLANAR_CONFIGURATION,
      290,
      292,
      293,
      296,
      297,
      317,
      318,
      319,
      321,
      322,
      323,
      332,
      334,
    ],
    ...[336, 338, SAMPLE_FORMAT, 340, 341, 433, 529, 530, 531, 532, 32996, 32997, 37439, 50674],
  ].map((tag): [number, number] => [tag, KIB]),
  [291, 256 * KIB], // GrayResponseCurve
  [301, 512 * KIB], // TransferFunction
  [320, 512 * KIB], // ColorMap
  [JPEG_TABLES, 64 * KIB],
  [ICC_PROFILE, 4 * KIB * KIB],
]);

/** Field types that hold text, or anything. Only these tags may have them. */
export const ASCII = 2;
export const UNDEFINED = 7;
const OPAQUE_TAGS = new Set([JPEG_TABLES, ICC_PROFILE, 433]);

export function isKept(entry: {
  readonly tag: number;
  readonly type: number;
  readonly length: number;
}): boolean {
  if (entry.type === ASCII || (entry.type === UNDEFINED && !OPAQUE_TAGS.has(entry.tag))) return false;
  return entry.length <= (KEPT_TAGS.get(entry.tag) ?? -1);
}
