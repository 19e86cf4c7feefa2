import type { PerceptualHash } from '@vitrine/contracts';
import { failureReason, UnprocessableFileError } from '../failures';
import { chooseFrames, MAX_OTHER_FRAMES, seededNumbers } from '../perception/frame-choice';
import type { JudgedFrames, Perceived } from '../perception/perceive';
import type { MediaJob } from '../worker/protocol';
import { hardenedInput } from './ffmpeg-arguments';
import { judgeMoments } from './film-frames';
import { scanFilm, type Film } from './film-scan';
import type { VideoFacts } from './probe';
import { runTool } from './run-tool';

/** Number of hidden videos that are examined besides the shown one. */
const MAX_HIDDEN_FILMS = 2;
const FRAMES_EACH = MAX_OTHER_FRAMES / MAX_HIDDEN_FILMS;
/** Seconds that an edit list may hide: less than this is the start of a group of pictures, or a codec's delay. */
const MAX_HIDDEN_SECONDS = 0.2;
const EDITED_FORMATS = ['mp4', 'mov', '3gp'];
const WITHOUT_EDITS = ['-ignore_editlist', '1'];

interface ProbedVideo {
  readonly index: number;
  readonly duration?: string;
  readonly disposition?: { readonly attached_pic?: number };
}

type Seen = Pick<Perceived, 'hashes' | 'fullySeen'>;

/**
 * Examines what a video's original holds and its renditions don't show: further tracks, which players can switch to, and
 * parts that an edit list leaves out, which some players show. Adds some frames to the pictures that the classifier
 * judges.
 */
export async function perceiveHiddenFilms(
  job: MediaJob,
  facts: VideoFacts,
  judged: JudgedFrames,
): Promise<Seen> {
  const films = await findHiddenFilms(job, facts);
  const hashes: PerceptualHash[] = [];
  let fullySeen = films.length <= MAX_HIDDEN_FILMS;
  for (const film of films.slice(0, MAX_HIDDEN_FILMS)) {
    const seen = await perceiveHiddenFilm(job, film, judged);
    hashes.push(...seen.hashes);
    fullySeen &&= seen.fullySeen;
  }
  return { hashes, fullySeen };
}

/** Examines one video of an original. One that can't be decoded here is left to the moderators. */
export async function perceiveHiddenFilm(
  job: MediaJob,
  film: Omit<Film, 'path'>,
  judged: JudgedFrames,
): Promise<Seen> {
  const source = { ...film, path: job.source };
  try {
    const scan = await scanFilm(job, source);
    const places = chooseFrames(scan, FRAMES_EACH, seededNumbers(`${job.seed} ${film.stream}`));
    const moments = places.flatMap((place) => scan.starts[place] ?? []);
    await judgeMoments(job, source, moments, judged);
    return { hashes: scan.hashes, fullySeen: scan.complete && moments.length > 0 };
  } catch (error) {
    if (!(error instanceof UnprocessableFileError)) throw error;
    return { hashes: [], fullySeen: false };
  }
}

async function findHiddenFilms(job: MediaJob, facts: VideoFacts): Promise<Omit<Film, 'path'>[]> {
  const shown = await probeFilms(job, []);
  const isEdited = EDITED_FORMATS.includes(job.media.format);
  const options = isEdited ? WITHOUT_EDITS : [];
  const stored = isEdited ? await probeFilms(job, options) : shown;
  const secondsOf = (films: readonly ProbedVideo[]): number =>
    Number(films.find(({ index }) => index === facts.stream)?.duration ?? 0);
  const isCut = secondsOf(stored) - secondsOf(shown) > MAX_HIDDEN_SECONDS;
  return stored
    .filter(({ index }) => index !== facts.stream || isCut)
    .map(({ index }) => ({ stream: String(index), options }));
}

/** The moving pictures of the original. */
async function probeFilms(job: MediaJob, options: readonly string[]): Promise<readonly ProbedVideo[]> {
  const output = await runTool(job, {
    program: job.tools.ffprobe,
    args: [
      ...['-v', 'error', '-select_streams', 'v', '-of', 'json'],
      ...['-show_entries', 'stream=index,duration:stream_disposition=attached_pic'],
      ...[...options, ...hardenedInput(job.source)],
    ],
    reason: failureReason.video,
  });
  const { streams = [] } = JSON.parse(output) as { streams?: ProbedVideo[] };
  return streams.filter(({ disposition }) => !disposition?.attached_pic);
}
