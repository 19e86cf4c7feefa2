import { failureReason, unsupportedCodec, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import type { Dimensions } from '../pixels/variant-plan';
import { probedInput, MAX_VIDEO_PIXELS } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { alphaOptions } from './alpha';
import type { Pace, Rest } from './pace';

/** A larger pixel aspect means a broken header, not an anamorphic lens. */
const MAX_PIXEL_ASPECT = 4;

const ENTRIES = [
  'format=duration',
  'stream=index,codec_type,codec_name,codec_tag_string,profile,width,height,pix_fmt,color_range,color_space,color_transfer,' +
    'color_primaries,sample_aspect_ratio,field_order,avg_frame_rate,duration,channels,sample_rate',
  'stream_disposition=attached_pic,default',
  'stream_tags=alpha_mode',
  'stream_side_data=rotation,displaymatrix',
].join(':');

/** The facts about a video that are known before it is decoded. */
export interface VideoFacts {
  /** Index of the picture track among the file's streams. */
  readonly stream: number;
  readonly codec: string;
  readonly profile: string;
  readonly pixelFormat: string;
  /** Pixels as stored. */
  readonly stored: Dimensions;
  /** Pixels as displayed: pixel aspect and rotation applied. */
  readonly displayed: Dimensions;
  /** Whether the picture must be rotated or mirrored. */
  readonly turned: boolean;
  readonly squarePixels: boolean;
  readonly interlaced: boolean;
  /** ffmpeg's options to decode it with its transparency; null if it is opaque. */
  readonly alpha: readonly string[] | null;
  /** Frames a second on average; 0 if unknown. */
  readonly frameRate: number;
  readonly colour: {
    readonly matrix: string;
    readonly transfer: string;
    readonly primaries: string;
    readonly range: string;
  };
  readonly audio: {
    readonly stream: number;
    readonly codec: string;
    readonly channels: number;
    /** Samples a second; 0 if unknown. */
    readonly sampleRate: number;
  } | null;
  /** Whether the tracks can be copied sample by sample: see `readTimeline`. */
  readonly isPlain: boolean;
  readonly pace: Pace;
  /** Null unless the last frame rests for long. */
  readonly rest: Rest | null;
  /** Seconds; null if the file doesn't say. */
  readonly duration: number | null;
}

interface ProbedStream {
  readonly index: number;
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly codec_tag_string?: string;
  readonly profile?: string;
  readonly width?: number;
  readonly height?: number;
  readonly pix_fmt?: string;
  readonly color_range?: string;
  readonly color_space?: string;
  readonly color_transfer?: string;
  readonly color_primaries?: string;
  readonly sample_aspect_ratio?: string;
  readonly field_order?: string;
  readonly avg_frame_rate?: string;
  readonly duration?: string;
  readonly channels?: number;
  readonly sample_rate?: string;
  readonly disposition?: { readonly attached_pic?: number; readonly default?: number };
  readonly tags?: Readonly<Record<string, string>>;
  readonly side_data_list?: readonly { readonly rotation?: number; readonly displaymatrix?: string }[];
}

/**
 * Reads a video's header with ffprobe. Throws `UnprocessableFileError` if it holds no moving picture, or none in a
 * codec that ffmpeg knows.
 */
export async function probeVideo(job: MediaJob, path: string): Promise<VideoFacts> {
  const output = await runTool(job, {
    program: job.tools.ffprobe,
    args: ['-v', 'error', '-show_entries', ENTRIES, '-of', 'json', ...probedInput(path)],
    reason: failureReason.video,
  });
  const { streams = [], format } = JSON.parse(output) as {
    streams?: ProbedStream[];
    format?: { duration?: string };
  };
  const pictures = streams.filter(
    ({ codec_type, disposition }) => codec_type === 'video' && !disposition?.attached_pic,
  );
  const video = pictures.find((stream) => isKnown(stream) && Boolean(stream.width && stream.height));
  if (!video) throw refusal(pictures);
  if ((video.width ?? 0) * (video.height ?? 0) > MAX_VIDEO_PIXELS) {
    throw new UnprocessableFileError(failureReason.pixels, `${video.width} × ${video.height}`);
  }
  const sounds = streams.filter((stream) => stream.codec_type === 'audio' && isKnown(stream));
  const audio = sounds.find(({ disposition }) => disposition?.default) ?? sounds[0];
  return {
    ...describePicture(video),
    audio: audio
      ? {
          stream: audio.index,
          codec: audio.codec_name ?? '',
          channels: audio.channels ?? 2,
          sampleRate: Number(audio.sample_rate ?? 0),
        }
      : null,
    isPlain: false,
    pace: 'even',
    rest: null,
    duration: positive(format?.duration) ?? positive(video.duration),
  };
}

const isKnown = ({ codec_name }: ProbedStream): boolean => Boolean(codec_name) && codec_name !== 'unknown';

function refusal(pictures: readonly ProbedStream[]): UnprocessableFileError {
  const [foreign] = pictures;
  const isForeign = foreign && !pictures.some(isKnown);
  return new UnprocessableFileError(
    isForeign ? unsupportedCodec(foreign.codec_tag_string) : failureReason.noPicture,
  );
}

function describePicture(
  video: ProbedStream,
): Omit<VideoFacts, 'audio' | 'duration' | 'isPlain' | 'pace' | 'rest'> {
  const stored = { width: video.width ?? 0, height: video.height ?? 0 };
  const matrix = video.side_data_list?.find(({ rotation }) => rotation !== undefined);
  const rotation = Math.round(Math.abs(matrix?.rotation ?? 0)) % 360;
  const aspect = pixelAspect(video.sample_aspect_ratio);
  const flat = { width: Math.max(1, Math.round(stored.width * aspect)), height: stored.height };
  return {
    stream: video.index,
    codec: video.codec_name ?? '',
    profile: video.profile ?? '',
    pixelFormat: video.pix_fmt ?? '',
    stored,
    displayed: rotation % 180 === 90 ? { width: flat.height, height: flat.width } : flat,
    turned: matrix !== undefined && !isIdentity(matrix.displaymatrix, rotation),
    squarePixels: aspect === 1,
    alpha: alphaOptions(video),
    interlaced: ['tt', 'bb', 'tb', 'bt'].includes(video.field_order ?? ''),
    frameRate: ratio(video.avg_frame_rate, '/'),
    colour: {
      matrix: video.color_space ?? 'unknown',
      transfer: video.color_transfer ?? 'unknown',
      primaries: video.color_primaries ?? 'unknown',
      range: video.color_range ?? 'unknown',
    },
  };
}

/** ffprobe prints the matrix as three rows of 16.16 numbers; a matrix that only mirrors shows no rotation. */
function isIdentity(displayMatrix: string | undefined, rotation: number): boolean {
  if (!displayMatrix) return rotation === 0;
  const [a, b, , c, d] = displayMatrix
    .replace(/\d{8}:/g, ' ')
    .trim()
    .split(/\s+/)
    .map(Number);
  return a === 65_536 && b === 0 && c === 0 && d === 65_536;
}

function pixelAspect(text: string | undefined): number {
  const aspect = ratio(text, ':');
  return aspect > 1 / MAX_PIXEL_ASPECT && aspect < MAX_PIXEL_ASPECT ? aspect : 1;
}

function ratio(text: string | undefined, separator: string): number {
  const [numerator = NaN, denominator = NaN] = (text ?? '').split(separator).map(Number);
  const value = numerator / denominator;
  return Number.isFinite(value) ? value : 0;
}

function positive(text: string | undefined): number | null {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}
