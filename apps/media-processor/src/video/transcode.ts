import { join } from 'node:path';
import type { VariantSize } from '@vitrine/contracts';
import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import {
  ANONYMOUS_OUTPUT,
  FFMPEG_PREAMBLE,
  hardenedInput,
  outTime,
  videoInput,
} from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { ON_BLACK } from './alpha';
import { BT709, BT709_STREAM, toBt709 } from './colour';
import { matrixToTag } from './colour-tags';
import { CLOSEST_FRAMES, MAX_FRAME_RATE } from './pace';
import type { VideoFacts } from './probe';
import { type Rendition, type RenditionPlan } from './rendition-plan';

/** Limit of the bits a second of a rendition, in thousands. */
const MAX_RATE: Readonly<Record<VariantSize, number>> = { xs: 700, sm: 1200, md: 2200, lg: 4500, xl: 8000 };

/** Every usual frame rate, and a millisecond, is a multiple of this. */
const ENCODER_TIME_BASE = '1/120000';

/** About the seconds of an ordinary frame. */
const ORDINARY_FRAME = 1 / 30;
/** Frames by which x264 decodes ahead, and one. */
const REPEATED_FRAMES = 3;

/** The renditions to make of a video. */
export interface Work {
  readonly facts: VideoFacts;
  readonly plan: RenditionPlan;
  /** The file with the sound of every rendition; null for none. */
  readonly sound: string | null;
}

/**
 * Makes every rendition in one run of ffmpeg from one decoding: two runs take as long, and would encode renditions from
 * a rendition. Writes `<size>.mp4` into the job's folder. Throws
 * like `runTool`.
 */
export async function transcode(
  job: MediaJob,
  work: Work,
  onProgress: (percent: number) => void,
): Promise<void> {
  const { facts, plan, sound } = work;
  const [largest, ...smaller] = plan.encoded;
  const outputs = [
    ...(plan.copied ? copyArguments(job, work, plan.copied) : []),
    ...plan.encoded.flatMap((rendition) => encodeArguments(job, work, rendition)),
  ];
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, '-progress', 'pipe:1', '-nostats', '-vsync', 'vfr'],
      ...(facts.alpha ?? []),
      ...videoInput(job.source, facts.stored.width * facts.stored.height),
      ...(sound ? hardenedInput(sound) : []),
      ...(largest
        ? ['-filter_complex_threads', '1', '-filter_complex', filterGraph(facts, largest, smaller)]
        : []),
      ...outputs,
    ],
    reason: failureReason.video,
    onLine: (line) => {
      const seconds = outTime(line);
      if (seconds !== null && facts.duration) {
        onProgress(Math.min(99, Math.floor((100 * seconds) / facts.duration)));
      }
    },
  });
}

/** The duration of the longest stream of a file, by reading all of it; seconds, null if it is empty. */
export async function measureDuration(job: MediaJob, facts: VideoFacts): Promise<number | null> {
  let end = 0;
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, '-progress', 'pipe:1', '-nostats', ...hardenedInput(job.source)],
      ...['-map', `0:${facts.stream}`, '-c', 'copy', '-f', 'null', '-'],
    ],
    reason: failureReason.video,
    onLine: (line) => {
      end = outTime(line) ?? end;
    },
  });
  return end > 0 ? end : null;
}

/** Converts the source to the largest size once, upright and in BT.709; every smaller picture is made from that. */
function filterGraph(facts: VideoFacts, largest: Rendition, smaller: readonly Rendition[]): string {
  const split = [largest.size, ...smaller.map(({ size }) => size)];
  return [
    `[0:${facts.stream}]${normalise(facts, largest)},split=${split.length}${split.map((name) => `[${name === largest.size ? `v${name}` : `to-${name}`}]`).join('')}`,
    ...smaller.map(
      ({ size, width, height }) => `[to-${size}]scale=${width}:${height},setsar=1,${BT709}[v${size}]`,
    ),
  ].join(';');
}

function normalise(facts: VideoFacts, size: Rendition): string {
  return [
    ...(facts.interlaced ? ['yadif=deint=interlaced'] : []),
    ...thinOut(facts),
    ...timesOf(facts),
    ...(facts.alpha ? ON_BLACK : []),
    ...toBt709(facts, size),
    'setsar=1',
  ].join(',');
}

/**
 * Shows the first picture from the beginning, even if it starts late, so that nothing empty comes before it. Repeats a last
 * picture that rests for long in the last frames of its rest: an encoder gives it the duration of an ordinary frame, and MP4
 * counts the duration of a track without the frames by which decoding is ahead.
 */
function timesOf({ rest }: VideoFacts): string[] {
  if (!rest) return ["setpts='if(eq(N,0),0,PTS)'"];
  const isRepeated = `gt(PTS-STARTPTS,${(rest.begins + ORDINARY_FRAME / 4).toFixed(6)}/TB)`;
  const before = `${ORDINARY_FRAME.toFixed(6)}*(${REPEATED_FRAMES}-ld(0))`;
  const repeated = `STARTPTS+(${rest.ends.toFixed(6)}-${before})/TB+0*st(0,ld(0)+1)`;
  return [
    `tpad=stop=${REPEATED_FRAMES}:stop_mode=clone`,
    `setpts='if(eq(N,0),0,if(${isRepeated},${repeated},PTS))'`,
  ];
}

/**
 * At most 60 frames a second. If frames are too dense, keeps the last of each sixtieth of a second. In bursts, drops
 * frames that follow the previous one too closely, and the others keep their times.
 */
function thinOut({ pace }: VideoFacts): string[] {
  if (pace === 'dense') return [`fps=${MAX_FRAME_RATE}`];
  return pace === 'bursts'
    ? [`select='isnan(prev_selected_t)+gte(t-prev_selected_t,${CLOSEST_FRAMES})'`]
    : [];
}

/** Copies the samples, and tags them with what they are taken for, because browsers guess missing tags in several ways. */
function copyArguments(job: MediaJob, { facts, sound }: Work, { size }: Rendition): string[] {
  const tags = `colour_primaries=1:transfer_characteristics=1:matrix_coefficients=${matrixToTag(facts) ?? 2}:video_full_range_flag=0`;
  return [
    ...['-map', `0:${facts.stream}`, '-c:v', 'copy', ...soundArguments(sound)],
    ...container(job, size, [`h264_metadata=${tags}`]),
  ];
}

/** Limits threads and look-ahead: each costs an encoder the memory of a few frames, and there are five encoders. */
function encodeArguments(job: MediaJob, { sound }: Work, { size }: Rendition): string[] {
  return [
    ...['-map', `[v${size}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-g', '120'],
    ...['-threads', size === 'xl' || size === 'lg' ? '2' : '1'],
    ...['-rc-lookahead', '8', '-x264-params', 'sync-lookahead=0'],
    ...['-maxrate', `${MAX_RATE[size]}k`, '-bufsize', `${MAX_RATE[size] * 2}k`, '-profile:v', 'high'],
    ...BT709_STREAM,
    ...['-enc_time_base', ENCODER_TIME_BASE],
    // Without it, ffmpeg writes its own name there.
    ...['-metadata:s:v', 'encoder=H.264'],
    ...soundArguments(sound),
    ...container(job, size),
  ];
}

const soundArguments = (sound: string | null): string[] => (sound ? ['-map', '1:a:0', '-c:a', 'copy'] : []);

/** Removes supplemental units, in which encoders and cameras write their own texts (H.264, NAL type 6). */
const container = (job: MediaJob, size: VariantSize, filters: readonly string[] = []): string[] => [
  ...ANONYMOUS_OUTPUT,
  ...['-bsf:v', [...filters, 'filter_units=remove_types=6'].join(','), '-movflags', '+faststart-write_colr'],
  ...['-max_muxing_queue_size', '4096', '-f', 'mp4', `file:${join(job.folder, `${size}.mp4`)}`],
];
