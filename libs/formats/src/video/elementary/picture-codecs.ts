import { UnsupportedVariantError } from '../../errors/file-errors';
import type { SampleCoding } from './sample-scrubber';

/** A codec of pictures that is accepted, because its samples hold no metadata or are scrubbed. */
export interface PictureCodec {
  /** ffmpeg's names of its decoders: those of the codec itself, not of libraries. */
  readonly decoders: readonly string[];
  /** How its samples are scrubbed; null if they have no place for metadata. */
  readonly coding: SampleCoding | null;
}

const codec = (decoders: string, coding: SampleCoding | null = null): PictureCodec => ({
  decoders: decoders.split(' '),
  coding,
});

/**
 * Every accepted codec. The others, among them PNG, TIFF, GIF, JPEG 2000, TGA, DPX and OpenEXR, can hold texts, places and
 * serial numbers in each frame, or nothing here decodes them.
 */
export const PICTURE_CODECS = {
  h264: codec('h264', { codec: 'h264-stream' }),
  hevc: codec('hevc', { codec: 'hevc-stream' }),
  av1: codec('av1', { codec: 'av1' }),
  vp8: codec('vp8'),
  vp9: codec('vp9'),
  mpeg: codec('mpeg1video mpeg2video', { codec: 'mpeg' }),
  mpeg4: codec('mpeg4', { codec: 'mpeg4' }),
  h263: codec('h263'),
  microsoftMpeg4: codec('msmpeg4v1 msmpeg4v2 msmpeg4'),
  windowsMedia: codec('wmv1 wmv2 wmv3 vc1'),
  flash: codec('flv vp6 vp6f vp6a flashsv flashsv2'),
  theora: codec('theora'),
  motionJpeg: codec('mjpeg', { codec: 'jpeg' }),
  dv: codec('dvvideo', { codec: 'dv' }),
  production: codec('dnxhd prores'),
  ffv1: codec('ffv1'),
  animation: codec('qtrle'),
  uncompressed: codec('rawvideo v210'),
} as const satisfies Readonly<Record<string, PictureCodec>>;

/** Codes of Windows' BITMAPINFOHEADER in any case, which QuickTime uses too. */
const FOUR_LETTERS: readonly (readonly [RegExp, PictureCodec])[] = [
  [/^(?:h264|x264|avc1|vssh|davc)$/i, PICTURE_CODECS.h264],
  [/^(?:h265|x265|hevc|hvc1|hev1)$/i, PICTURE_CODECS.hevc],
  [/^av01$/i, PICTURE_CODECS.av1],
  [/^vp80$/i, PICTURE_CODECS.vp8],
  [/^vp90$/i, PICTURE_CODECS.vp9],
  [/^(?:mjpg|jpeg|avrn|dmb1|cjpg)$/i, PICTURE_CODECS.motionJpeg],
  [/^(?:xvid|divx|dx50|fmp4|mp4v|mp4s|3iv2|m4s2|rmp4|div1|smp4|blz0)$/i, PICTURE_CODECS.mpeg4],
  [/^(?:mpeg|mpg[12]|pim[12]|m[12]v1|mp[12]v|[^ -~]\0{2}[^ -~])$/i, PICTURE_CODECS.mpeg],
  [/^(?:h263|x263|s263)$/i, PICTURE_CODECS.h263],
  [/^(?:mpg[34]|mp4[123]|div[2-6]|3ivd|ap41|col[01]|dvx3)$/i, PICTURE_CODECS.microsoftMpeg4],
  [/^(?:wmv[123]|wvc1|wmva)$/i, PICTURE_CODECS.windowsMedia],
  [/^(?:flv1|vp6[012af]|flv4|fsv1)$/i, PICTURE_CODECS.flash],
  [/^theo$/i, PICTURE_CODECS.theora],
  [/^(?:dvsd|dv25|dv50|dvc |dvis|cdvc)$/i, PICTURE_CODECS.dv],
  [/^(?:avd[nh1]|ap(?:c[hnso]|4[hx]))$/i, PICTURE_CODECS.production],
  [/^ffv1$/i, PICTURE_CODECS.ffv1],
  [
    /^(?:dib |rgb[^]|bgr[^]|argb|abgr|raw |i420|iyuv|yv12|yuy2|yuyv|yuvs|2vuy|uyvy|yvyu|hdyc|nv12|nv21|y800|grey|v210|i422|i444|y42b|444p|422p|p422)$/i,
    PICTURE_CODECS.uncompressed,
  ],
];

/** `BI_RGB` and `BI_BITFIELDS`. */
const BITMAPS = ['\0\0\0\0', '\x03\0\0\0'];

/** The codes of QuickTime that BITMAPINFOHEADER does not have. */
const QUICKTIME: readonly (readonly [RegExp, PictureCodec])[] = [
  [/^rle $/, PICTURE_CODECS.animation],
  [/^(?:mjpa|AVDJ)$/, PICTURE_CODECS.motionJpeg],
  [/^(?:dvcp|dvpp|dv5[np]|dvh[2356pq]|AVdv|AVd1)$/, PICTURE_CODECS.dv],
  [/^vp08$/, PICTURE_CODECS.vp8],
  [/^vp09$/, PICTURE_CODECS.vp9],
  [/^vc-1$/, PICTURE_CODECS.windowsMedia],
  // MPEG-2 as recorders of HDV, XDCAM and IMX name it.
  [/^(?:m1v |hdv[1-9a-d]|mx[345][np]|xdv[1-9a-f]|xd5.|xdh.|AVmp)$/, PICTURE_CODECS.mpeg],
];

/** The codec of a picture track by its four letters. @throws UnsupportedVariantError if it isn't accepted. */
export function codecOfLetters(code: string, isQuickTime = false): PictureCodec {
  if (BITMAPS.includes(code)) return PICTURE_CODECS.uncompressed;
  const lists = isQuickTime ? [...QUICKTIME, ...FOUR_LETTERS] : FOUR_LETTERS;
  const found = lists.find(([codes]) => codes.test(code))?.[1];
  if (!found) throw unsupportedCodec(code);
  return found;
}

/** Formats of pictures whose codes an uploader would not recognise. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:m?png|mpng|png1) ?$/i, 'PNG'],
  [/^(?:tiff|tif ) ?$/i, 'TIFF'],
  [/^gif ?$/i, 'GIF'],
  [/^(?:mjp2|mj2c|mjpeg2000|jp2[k ]|lj2[ck]|ipj2|avj2) ?$/i, 'JPEG 2000'],
  [/^(?:tga|mtga|tga1) ?$/i, 'TGA'],
  [/^dpx ?$/i, 'DPX'],
  [/^exr ?$/i, 'OpenEXR'],
  [/^(?:bmp|wrle) ?$/i, 'BMP'],
  [/^(?:mjpb|mjls|ljpg) ?$/i, 'lossless or unusual JPEG'],
];
const MAX_NAME = 40;

/** Says which frames a video has that is refused. */
export function unsupportedCodec(code: string): UnsupportedVariantError {
  const named = NAMES.find(([codes]) => codes.test(code))?.[1];
  const printable = code
    .slice(0, MAX_NAME)
    .replace(/[^\w ./-]/g, '?')
    .trim();
  return new UnsupportedVariantError(
    `Videos with ${named ?? (printable || 'unknown')} frames are not supported.`,
  );
}
