import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { objectKeys, VARIANT_SIZES, VIDEO_THUMB_EDGE, type VariantRecord } from '@vitrine/contracts';
import type { JobResult, MediaJob } from '../jobs/protocol';
import { chooseFrames, MAX_FRAMES, seededNumbers } from '../perception/frame-choice';
import { FRAME_EDGE, hashStill, JudgedFrames, thumbhashOf, type Perceived } from '../perception/perceive';
import { encode } from '../pixels/encoders';
import { openStill } from '../pixels/open-image';
import { fromPixels, toPixels, type Pixels } from '../pixels/pixels';
import { judgeFramesAt } from './video-frames';
import { scanVideo } from './video-scan';
import { perceiveHiddenVideos } from './hidden-videos';
import { probeVideo, type VideoFacts } from './probe';
import { RENDITION } from './colour';
import { MP4_FAMILY, planRenditions, type RenditionPlan } from './rendition-plan';
import { makeSound } from './sound';
import { takeThumbnail, type MadeRendition } from './thumbnail';
import { readTimeline } from './timeline';
import { measureDuration, transcode } from './transcode';

/** Makes the renditions, thumbnail, thumbhash, perceptual hashes and moderation frames of one video. */
export class VideoProcessor {
  /**
   * Writes everything into the job's folder. Calls `onProgress` with whole percent. Throws `UnprocessableFileError`
   * if the file can't be decoded or exceeds a limit, and `Error` if the machine is at fault.
   */
  async process(job: MediaJob, onProgress: (percent: number) => void): Promise<JobResult> {
    const facts = await factsOf(job);
    const plan = planRenditions(facts, job.media.format);
    await transcode(job, { facts, plan, sound: await makeSound(job, facts) }, onProgress);
    const renditions = await describeRenditions(job, plan);
    const picture = await pictureOf(job, facts, plan);
    const thumb = await writeThumbnail(job, picture);
    const { frames, hashes, fullySeen } = await perceive(job, facts, plan, picture);
    const { slug } = job.media;
    const made = [...plan.encoded, ...(plan.copied ? [plan.copied] : [])];
    return {
      files: [
        ...made.map(({ size }) => ({ file: `${size}.mp4`, key: objectKeys.variant(slug, size, 'mp4') })),
        { file: 'thumb.jpg', key: thumb.key },
        ...frames,
      ],
      variants: [...renditions, thumb],
      frames: frames.map(({ key }) => key),
      hashes,
      fully_seen: fullySeen,
      thumbhash: await thumbhashOf(picture),
      ...facts.displayed,
      duration: await playingTime(job, plan),
    };
  }
}

async function factsOf(job: MediaJob): Promise<VideoFacts> {
  const facts = await probeVideo(job, job.source);
  const duration = facts.duration ?? job.media.duration ?? (await measureDuration(job, facts));
  const { isPlain, ...timing } = await readTimeline(job, facts);
  return { ...facts, duration, isPlain: MP4_FAMILY.includes(job.media.format) && isPlain, ...timing };
}

/** Duration in seconds of the largest rendition. A header's duration may include what an edit list removes. */
async function playingTime(job: MediaJob, plan: RenditionPlan): Promise<number | null> {
  const { size } = plan.copied ?? plan.encoded[0] ?? {};
  if (!size) throw new Error('The plan has no renditions');
  return (await probeVideo(job, join(job.folder, `${size}.mp4`))).duration;
}

async function describeRenditions(job: MediaJob, plan: RenditionPlan): Promise<VariantRecord[]> {
  const made = [...plan.encoded, ...(plan.copied ? [plan.copied] : [])];
  return Promise.all(
    VARIANT_SIZES.map(async (name): Promise<VariantRecord> => {
      const rendition = made.find(({ size }) => size === plan.servedBy[name]);
      if (!rendition) throw new Error(`No rendition serves ${name}`);
      const { size, width, height } = rendition;
      const { size: bytes } = await stat(join(job.folder, `${size}.mp4`));
      const key = objectKeys.variant(job.media.slug, size, 'mp4');
      return { name, key, ext: 'mp4', mime: 'video/mp4', width, height, bytes };
    }),
  );
}

/** The still that represents the video. */
async function pictureOf(job: MediaJob, facts: VideoFacts, plan: RenditionPlan): Promise<Pixels> {
  return toPixels(openStill(await takeThumbnail(job, smallestFrom(job, facts, plan, VIDEO_THUMB_EDGE))));
}

/** The smallest rendition with a longest edge of at least `edge` pixels, or else the largest. */
function smallestFrom(job: MediaJob, facts: VideoFacts, plan: RenditionPlan, edge: number): MadeRendition {
  const made = [...(plan.copied ? [plan.copied] : []), ...plan.encoded].sort((a, b) => a.width - b.width);
  const rendition = made.find(({ width, height }) => Math.max(width, height) >= edge) ?? made.at(-1);
  if (!rendition) throw new Error('The plan has no renditions');
  const tags = rendition === plan.copied ? facts : RENDITION;
  return { ...rendition, path: join(job.folder, `${rendition.size}.mp4`), tags };
}

async function writeThumbnail(job: MediaJob, picture: Pixels): Promise<VariantRecord> {
  const path = join(job.folder, 'thumb.jpg');
  const {
    size: bytes,
    width,
    height,
  } = await encode(fromPixels(picture), 'jpg', Math.max(picture.width, picture.height)).toFile(path);
  const key = objectKeys.variant(job.media.slug, 'thumb', 'jpg');
  return { name: 'thumb', key, ext: 'jpg', mime: 'image/jpeg', width, height, bytes };
}

/** Examines every frame of a rendition, the thumbnail, and what only the original shows. */
async function perceive(
  job: MediaJob,
  facts: VideoFacts,
  plan: RenditionPlan,
  picture: Pixels,
): Promise<Perceived> {
  const judged = new JudgedFrames(job);
  await judged.add(picture);
  const scan = await scanVideo(job, { path: smallestFrom(job, facts, plan, 0).path, stream: 'v:0' });
  const places = chooseFrames(scan, MAX_FRAMES - 1, seededNumbers(job.seed));
  const moments = places.flatMap((place) => scan.starts[place] ?? []);
  await judgeFramesAt(job, { ...smallestFrom(job, facts, plan, FRAME_EDGE), stream: 'v:0' }, moments, judged);
  const hidden = await perceiveHiddenVideos(job, facts, judged);
  return {
    frames: judged.files,
    hashes: [...scan.hashes, ...(await hashStill(picture)), ...hidden.hashes],
    fullySeen: scan.complete && hidden.fullySeen,
  };
}
