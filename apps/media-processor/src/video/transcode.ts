import { join } from 'node:path';
import type { VariantSize } from '@vitrine/contracts';
import { failureReason } from '../failures';
import { fitLongestEdge, type Dimensions } from '../images/variant-plan';
import { FRAME_EDGE, MAX_FRAMES } from '../perception/perceive';
import type { MediaJob } from '../worker/protocol';
import { ANONYMOUS_OUTPUT, FFMPEG_PREAMBLE, hardenedInput } from './ffmpeg-arguments';
import type { VideoFacts } from './probe';
import { isWideRange, MAX_FRAME_RATE, type Rendition, type RenditionPlan } from './rendition-plan';
import { runTool } from './run-tool';

/** Bits a second that a rendition may take at most, in thousands. */
const MAX_RATE: Readonly<Record<VariantSize, number>> = { xs: 700, sm: 1200, md: 2200, lg: 4500, xl: 8000 };

const BT709 = 'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv';

/** Time stamps of the frames that moderation looks at, in seconds: evenly spread, the first half an interval in. */
export function sampleInterval(duration: number | null): number {
  return (duration ?? MAX_FRAMES) / MAX_FRAMES;
}

/**
 * Makes every rendition, and the pictures that moderation looks at, in one run of ffmpeg from one decoding. Writes
 * `<size>.mp4` and `sample-<n>.png` (n from 1) into the job's folder.
 */
export async function transcode(
  job: MediaJob,
  facts: VideoFacts,
  plan: RenditionPlan,
  onProgress: (percent: number) => void,
): Promise<void> {
  const outputs = [
    ...(plan.copied ? copyArguments(job, facts, plan.copied) : []),
    ...plan.encoded.flatMap((rendition) => encodeArguments(job, facts, rendition)),
    ...['-map', '[samples]', '-frames:v', String(MAX_FRAMES), '-c:v', 'png', '-f', 'image2'],
    `file:${join(job.folder, 'sample-%d.png')}`,
  ];
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, '-progress', 'pipe:1', '-nostats', '-vsync', 'vfr'],
      ...hardenedInput(job.source),
      ...['-filter_complex_threads', '1', '-filter_complex', filterGraph(facts, plan)],
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

/** The longest that the streams of a file say they are, by reading all of it; seconds, null where nothing is in it. */
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

/** The place that ffmpeg's progress has come to, in seconds; null for its other lines. */
function outTime(line: string): number | null {
  const [, hours, minutes, seconds] = /^out_time=(\d+):(\d+):(\d+\.\d+)/.exec(line) ?? [];
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The source is brought to the largest size once, upright and in BT.709; every smaller picture is made of that. */
function filterGraph(facts: VideoFacts, { encoded }: RenditionPlan): string {
  const [largest, ...smaller] = encoded;
  const base: Dimensions = largest ?? fitSamples(facts.displayed);
  const branches = [...smaller.map(({ size }) => size), 'frames'];
  const split = largest ? [largest.size, ...branches] : branches;
  return [
    `[0:${facts.stream}]${normalise(facts, base)},split=${split.length}${split.map((name) => `[${name === largest?.size ? `v${name}` : `to-${name}`}]`).join('')}`,
    ...smaller.map(
      ({ size, width, height }) => `[to-${size}]scale=${width}:${height},setsar=1,${BT709}[v${size}]`,
    ),
    `[to-frames]${sampler(facts)}[samples]`,
  ].join(';');
}

function normalise(facts: VideoFacts, { width, height }: Dimensions): string {
  const { matrix, transfer, primaries } = facts.colour;
  const steps: string[] = [];
  if (facts.interlaced) steps.push('yadif=deint=interlaced');
  if (facts.frameRate > MAX_FRAME_RATE + 0.5) steps.push(`fps=${MAX_FRAME_RATE}`);
  if (isWideRange(facts)) {
    const from = `tin=${transfer}:min=${matrix === 'bt2020c' ? '2020_cl' : '2020_ncl'}:pin=${primaries === 'bt709' ? '709' : '2020'}`;
    steps.push(
      `zscale=w=${width}:h=${height}:${from}:t=linear:npl=100`,
      ...['format=gbrpf32le', 'zscale=p=709', 'tonemap=hable:desat=0', 'zscale=t=709:m=709:r=limited'],
    );
  } else {
    steps.push(
      `scale=${width}:${height}:in_color_matrix=${matrixOf(facts)}:out_color_matrix=bt709:out_range=tv`,
    );
  }
  return [...steps, 'format=yuv420p', 'setsar=1', BT709].join(',');
}

/** The matrix that turned the source's RGB into YUV; players guess it from the height where the file doesn't say. */
function matrixOf({ colour, stored }: VideoFacts): string {
  switch (colour.matrix) {
    case 'bt709':
    case 'fcc':
    case 'smpte240m':
      return colour.matrix;
    case 'smpte170m':
    case 'bt470bg':
      return 'bt601';
    case 'bt2020nc':
    case 'bt2020c':
      return 'bt2020';
    case 'gbr':
      return 'auto';
    default:
      return stored.height >= 720 ? 'bt709' : 'bt601';
  }
}

function sampler(facts: VideoFacts): string {
  const interval = sampleInterval(facts.duration);
  const { width, height } = fitSamples(facts.displayed);
  const due = `gte(t,${interval / 2}+selected_n*${interval})`;
  return `select='${due}',scale=${width}:${height}:in_color_matrix=bt709,format=rgb24`;
}

const fitSamples = (displayed: Dimensions): Dimensions => fitLongestEdge(displayed, FRAME_EDGE);

function copyArguments(job: MediaJob, facts: VideoFacts, { size }: Rendition): string[] {
  const audio = facts.audio ? ['-map', `0:${facts.audio.stream}`] : [];
  return ['-map', `0:${facts.stream}`, ...audio, '-c', 'copy', ...container(job, size)];
}

function encodeArguments(job: MediaJob, facts: VideoFacts, { size }: Rendition): string[] {
  const video = [
    ...[
      '-map',
      `[v${size}]`,
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '23',
      '-threads',
      '2',
      '-g',
      '120',
    ],
    ...['-maxrate', `${MAX_RATE[size]}k`, '-bufsize', `${MAX_RATE[size] * 2}k`, '-profile:v', 'high'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    // Else ffmpeg writes its own name there.
    ...['-metadata:s:v', 'encoder=H.264'],
  ];
  return [...video, ...audioArguments(job, facts), ...container(job, size)];
}

function audioArguments(job: MediaJob, { audio }: VideoFacts): string[] {
  if (!audio) return [];
  const fits = audio.codec === 'aac' && audio.channels <= 2 && ['mp4', 'mov'].includes(job.media.format);
  const codec = fits
    ? ['-c:a', 'copy']
    : ['-c:a', 'aac', '-b:a', '128k', '-ac', String(Math.min(2, audio.channels))];
  return ['-map', `0:${audio.stream}`, ...codec];
}

/** Supplemental units go: encoders and cameras write texts of their own into them (H.264, NAL type 6). */
const container = (job: MediaJob, size: VariantSize): string[] => [
  ...ANONYMOUS_OUTPUT,
  ...['-bsf:v', 'filter_units=remove_types=6', '-movflags', '+faststart', '-avoid_negative_ts', 'make_zero'],
  ...['-max_muxing_queue_size', '4096', '-f', 'mp4', `file:${join(job.folder, `${size}.mp4`)}`],
];
