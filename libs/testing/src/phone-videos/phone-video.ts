/** The expected result for a sample. */
export interface ExpectedVideo {
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
  /** Frames of the largest rendition, if the rate is steady and at most 60. */
  readonly frames?: number;
  readonly sound: {
    readonly channels: number;
    readonly hertz: number;
    readonly seconds: number;
    /** Seconds of silence before the sound, if there is any. */
    readonly silence?: number;
  } | null;
  /** The expected colours of the test card; null if the sample shows another picture. */
  readonly card: 'sdr' | 'hdr' | null;
}

/** A video as a phone, a camera or a screen recorder makes it. */
export interface PhoneVideo {
  readonly what: string;
  /** The format's name in `@vitrine/formats`. */
  readonly format: 'mp4' | 'mov' | 'matroska' | 'mpegts';
  readonly ext: string;
  /** ffmpeg's arguments before the output. */
  readonly args: readonly string[];
  /** Adds parts to the file that ffmpeg doesn't write. */
  readonly patch?: (file: Buffer) => Buffer;
  readonly expected: ExpectedVideo;
}

/** Words of an ffmpeg command line that need no quotes. */
export const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const HDR_TAGS = {
  hlg: words('-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc -color_range tv'),
  pq: words('-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv'),
} as const;

/** The folder of the test cards; `VideoSamples` writes them there. */
export const CARDS = { sdr: 'card-sdr.raw', hlg: 'card-hlg.raw', pq: 'card-pq.raw' } as const;

/** The test card at a size and a frame rate, as an input: one repeated frame. */
export function card(kind: keyof typeof CARDS, rate: number, seconds: number): string[] {
  const pixels = kind === 'sdr' ? 'rgb24' : 'yuv420p10le';
  const input = words(`-f rawvideo -s 64x64 -pix_fmt ${pixels} -r ${rate} -stream_loop -1`);
  return [...input, '-t', String(seconds), '-i', CARDS[kind]];
}

/** A tone as an input. */
export const tone = (hertz: number, seconds: number, rate = 48_000): string[] =>
  words(`-f lavfi -i sine=f=${hertz}:r=${rate}:d=${seconds}`);

/** HEVC with 10 bits and HDR's tags, as phones write it. */
export function hdrHevc(transfer: 'hlg' | 'pq', size: string, pixels = 'yuv420p10le'): string[] {
  return [
    ...['-vf', `scale=${size}:flags=neighbor,format=${pixels}`],
    ...words('-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=2 -tag:v hvc1'),
    ...HDR_TAGS[transfer],
  ];
}

export const hdrTags = (transfer: 'hlg' | 'pq'): readonly string[] => HDR_TAGS[transfer];

/** Filters that scale the SDR card without blurring it, after others, and tag it BT.709. */
const taggedSdr = (size: string, pixels = 'yuv420p', before = 'null'): string =>
  `${before},scale=${size}:flags=neighbor:out_color_matrix=bt709:out_range=tv,format=${pixels},` +
  'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv';

/** H.264 from the SDR card, tagged BT.709. */
export function h264(size: string, pixels?: string, before?: string): string[] {
  return ['-vf', taggedSdr(size, pixels, before), ...H264];
}

export const H264 = words(
  '-c:v libx264 -preset ultrafast -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv',
);

export const AAC = words('-c:a aac');
