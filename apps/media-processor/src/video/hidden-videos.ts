import type { PerceptualHash } from '@vitrine/contracts';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { chooseFrames, MAX_OTHER_FRAMES, seededNumbers } from '../perception/frame-choice';
import type { JudgedFrames, Perceived } from '../perception/perceive';
import { probedInput, WITHOUT_EDITS } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { alphaOptions, ON_BLACK, ON_WHITE } from './alpha';
import { judgeFramesAt } from './video-frames';
import { scanVideo, type VideoStream } from './video-scan';
import type { VideoFacts } from './probe';

/** Number of hidden videos that are examined besides the shown one. */
const MAX_HIDDEN_VIDEOS = 2;
const FRAMES_EACH = MAX_OTHER_FRAMES / MAX_HIDDEN_VIDEOS;
/** Seconds that an edit list may hide: less than this is the start of a group of pictures, or a codec's delay. */
const MAX_HIDDEN_SECONDS = 0.2;
/** Number of packets that are compared. A track with more may hide some. */
const MAX_PACKETS = 5_000_000;
const EDITED_FORMATS = ['mp4', 'mov', '3gp'];

interface ProbedVideo {
  readonly index: number;
  readonly codec_name?: string;
  readonly pix_fmt?: string;
  readonly width?: number;
  readonly height?: number;
  readonly disposition?: { readonly attached_pic?: number };
  readonly tags?: Readonly<Record<string, string>>;
}

type Seen = Pick<Perceived, 'hashes' | 'fullySeen'>;

/**
 * Examines what a video's original holds but its renditions don't show: further tracks, which players can switch to;
 * parts that an edit list leaves out, which some players show; frames beyond 60 a second; fields that deinterlacing
 * drops; and transparency. Adds some frames to the pictures that the classifier judges.
 */
export async function perceiveHiddenVideos(
  job: MediaJob,
  facts: VideoFacts,
  judged: JudgedFrames,
): Promise<Seen> {
  const videos = await findHiddenVideos(job, facts);
  const hashes: PerceptualHash[] = [];
  let fullySeen = videos.length <= MAX_HIDDEN_VIDEOS;
  for (const video of videos.slice(0, MAX_HIDDEN_VIDEOS)) {
    const seen = await perceiveHiddenVideo(job, video, judged);
    hashes.push(...seen.hashes);
    fullySeen &&= seen.fullySeen;
  }
  return { hashes, fullySeen };
}

/** Examines one video of an original. If it can't be decoded here, moderators must look at it. */
export async function perceiveHiddenVideo(
  job: MediaJob,
  video: Omit<VideoStream, 'path'>,
  judged: JudgedFrames,
): Promise<Seen> {
  const source = { ...video, path: job.source };
  try {
    const scan = await scanVideo(job, source);
    const places = chooseFrames(scan, FRAMES_EACH, seededNumbers(`${job.seed} ${video.stream}`));
    const moments = places.flatMap((place) => scan.starts[place] ?? []);
    await judgeFramesAt(job, source, moments, judged);
    return { hashes: scan.hashes, fullySeen: scan.complete && moments.length > 0 };
  } catch (error) {
    if (!(error instanceof UnprocessableFileError)) throw error;
    return { hashes: [], fullySeen: false };
  }
}

async function findHiddenVideos(job: MediaJob, facts: VideoFacts): Promise<Omit<VideoStream, 'path'>[]> {
  const isEdited = EDITED_FORMATS.includes(job.media.format);
  const options = isEdited ? WITHOUT_EDITS : [];
  const videos = (await probeVideos(job, options)).map((video) => ({
    video,
    views: viewsOf(video, options),
  }));
  // Browsers show both fields of an interlaced frame; a rendition keeps one of them.
  const isPartlyShown =
    facts.interlaced || facts.pace !== 'even' || (isEdited && (await hidesFrames(job, facts)));
  return videos.flatMap(({ video, views }) => {
    const isShown = video.index === facts.stream;
    const isDense = !isShown || facts.pace !== 'even';
    // The renditions also show what is opaque in the shown video.
    const seen = isShown && views.length === 1 && !isPartlyShown ? [] : views;
    return seen.map((view) => ({ ...view, isDense }));
  });
}

/** The views of a video; if it has transparency, on a white page and on a black one. */
function viewsOf(video: ProbedVideo, options: readonly string[]): Omit<VideoStream, 'path'>[] {
  const { index, width = 0, height = 0 } = video;
  const view = { stream: String(index), options, pixels: width * height };
  const alpha = alphaOptions(video);
  if (!alpha) return [view];
  const decoded = { ...view, options: [...options, ...alpha] };
  return [ON_WHITE, ON_BLACK].map((filters) => ({ ...decoded, filters }));
}

/** The video streams of the original. */
async function probeVideos(job: MediaJob, options: readonly string[]): Promise<readonly ProbedVideo[]> {
  const output = await runTool(job, {
    program: job.tools.ffprobe,
    args: [
      ...['-v', 'error', '-select_streams', 'v', '-of', 'json', '-show_entries'],
      'stream=index,codec_name,pix_fmt,width,height:stream_tags=alpha_mode:stream_disposition=attached_pic',
      ...[...options, ...probedInput(job.source)],
    ],
    reason: failureReason.video,
  });
  const { streams = [] } = JSON.parse(output) as { streams?: ProbedVideo[] };
  return streams.filter(({ disposition }) => !disposition?.attached_pic);
}

/**
 * Whether an edit list leaves out a part of the shown track. Lengths don't show this, because the list may show
 * another part twice.
 */
async function hidesFrames(job: MediaJob, facts: VideoFacts): Promise<boolean> {
  const shown = new Set<number>();
  let hidden = 0;
  let packets = 0;
  await readPackets(job, facts, [], (at, _, isShown) => {
    if (isShown && packets++ < MAX_PACKETS) shown.add(at);
  });
  await readPackets(job, facts, WITHOUT_EDITS, (at, seconds) => {
    if (packets++ < 2 * MAX_PACKETS && !shown.has(at)) hidden += seconds;
  });
  return hidden > MAX_HIDDEN_SECONDS || packets > 2 * MAX_PACKETS;
}

/** Reports each packet of the shown track: its position in the file, its duration, and whether it is shown. */
async function readPackets(
  job: MediaJob,
  { stream }: VideoFacts,
  options: readonly string[],
  onPacket: (at: number, seconds: number, isShown: boolean) => void,
): Promise<void> {
  await runTool(job, {
    program: job.tools.ffprobe,
    args: [
      ...['-v', 'error', '-select_streams', String(stream)],
      ...['-show_entries', 'packet=duration_time,pos,flags', '-of', 'csv=p=0'],
      ...[...options, ...probedInput(job.source)],
    ],
    reason: failureReason.video,
    onLine: (line) => {
      const [seconds, at, flags = ''] = line.split(',');
      onPacket(Number(at), Number(seconds) || 0, !flags.includes('D'));
    },
  });
}
