/** Pixel formats with transparency. */
const TRANSLUCENT = /^(?:yuva|ya|gbrap|rgba|bgra|argb|abgr|pal8)/;
/** The decoders that keep the transparency of WebM. */
const DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** What ffprobe reports of a stream. */
interface ProbedStream {
  readonly codec_name?: string;
  readonly pix_fmt?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** ffmpeg's options, before `-i`, to decode a video with its transparency; null if it is opaque. */
export function alphaOptions({
  codec_name,
  pix_fmt = '',
  tags = {},
}: ProbedStream): readonly string[] | null {
  const hasAlphaMode = Object.entries(tags).some(
    ([tag, value]) => /^alpha_mode$/i.test(tag) && value !== '0',
  );
  if (!hasAlphaMode) return TRANSLUCENT.test(pix_fmt) ? [] : null;
  const decoder = codec_name && DECODERS[codec_name];
  return decoder ? ['-c:v', decoder] : [];
}

/** Planar formats with an alpha for each pixel, so that the conversion to one of them changes no colour. */
const PLANAR = 'format=yuva444p|yuva444p10|yuva444p12|gbrap|gbrap10|gbrap12';

/** Filters that put a translucent picture on black, as browsers show a video that is opened by itself. */
export const ON_BLACK = [
  PLANAR,
  'premultiply=inplace=1',
  'format=yuv444p|yuv444p10|yuv444p12|gbrp|gbrp10|gbrp12',
];
/** Filters that put a translucent picture on white. */
export const ON_WHITE = ['format=gbrap', 'negate', 'premultiply=inplace=1', 'negate', 'format=gbrp'];
