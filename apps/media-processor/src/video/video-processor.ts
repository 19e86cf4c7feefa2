import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { objectKeys, VARIANT_SIZES, VIDEO_THUMB_EDGE, type VariantRecord } from '@vitrine/contracts';
import { UnprocessableFileError } from '../failures';
import { encode } from '../images/encoders';
import { openStill } from '../images/open-image';
import { fromPixels, toPixels, type Pixels } from '../images/pixels';
import { perceiveFrame, thumbhashOf, type PerceivedFrame } from '../perception/perceive';
import type { JobResult, MediaJob } from '../worker/protocol';
import { probeVideo, type VideoFacts } from './probe';
import { planRenditions, type RenditionPlan } from './rendition-plan';
import { takeThumbnail } from './thumbnail';
import { measureDuration, sampleInterval, transcode } from './transcode';

/** Turns one video into its renditions, thumbnail, thumbhash, perceptual hashes and moderation frames. */
export class VideoProcessor {
  /**
   * Writes everything into the job's folder; `onProgress` hears whole percents. Throws `UnprocessableFileError`
   * where the file can't be decoded or is over budget, and `Error` where the machine is at fault.
   */
  async process(job: MediaJob, onProgress: (percent: number) => void): Promise<JobResult> {
    const facts = await factsOf(job);
    const plan = planRenditions(facts, job.media.format);
    await transcodeAtBest(job, facts, plan, onProgress);
    const renditions = await describeRenditions(job, plan);
    const picture = await pictureOf(job, plan);
    const thumb = await writeThumbnail(job, picture);
    const perceived = await perceiveSamples(job, facts, picture);
    const { slug } = job.media;
    const made = [...plan.encoded, ...(plan.copied ? [plan.copied] : [])];
    return {
      files: [
        ...made.map(({ size }) => ({ file: `${size}.mp4`, key: objectKeys.variant(slug, size, 'mp4') })),
        { file: 'thumb.jpg', key: thumb.key },
        ...perceived.map(({ file }) => file),
      ],
      variants: [...renditions, thumb],
      frames: perceived.map(({ file }) => file.key),
      hashes: perceived.map(({ hash }) => hash),
      thumbhash: await thumbhashOf(picture),
      ...facts.displayed,
      duration: facts.duration,
    };
  }
}

async function factsOf(job: MediaJob): Promise<VideoFacts> {
  const facts = await probeVideo(job, job.source);
  const duration = facts.duration ?? job.media.duration ?? (await measureDuration(job, facts));
  return { ...facts, duration };
}

/** A sound track that can't be decoded doesn't cost the picture. */
async function transcodeAtBest(
  job: MediaJob,
  facts: VideoFacts,
  plan: RenditionPlan,
  onProgress: (percent: number) => void,
): Promise<void> {
  try {
    await transcode(job, facts, plan, onProgress);
  } catch (error) {
    if (!(error instanceof UnprocessableFileError) || !facts.audio) throw error;
    await transcode(job, { ...facts, audio: null }, plan, onProgress);
  }
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

/** The still that stands for the video, taken from the smallest of our renditions that is large enough. */
async function pictureOf(job: MediaJob, plan: RenditionPlan): Promise<Pixels> {
  const made = [...(plan.copied ? [plan.copied] : []), ...plan.encoded].sort((a, b) => a.width - b.width);
  const rendition =
    made.find(({ width, height }) => Math.max(width, height) >= VIDEO_THUMB_EDGE) ?? made.at(-1);
  if (!rendition) throw new Error('A plan without renditions');
  const path = await takeThumbnail(job, { ...rendition, path: join(job.folder, `${rendition.size}.mp4`) });
  return toPixels(openStill(path));
}

async function writeThumbnail(job: MediaJob, picture: Pixels): Promise<VariantRecord> {
  const path = join(job.folder, 'thumb.jpg');
  const { size: bytes, width, height } = await encode(fromPixels(picture), 'jpg').toFile(path);
  const key = objectKeys.variant(job.media.slug, 'thumb', 'jpg');
  return { name: 'thumb', key, ext: 'jpg', mime: 'image/jpeg', width, height, bytes };
}

/** The sampled frames; the thumbnail where a header that lies about the length left none. */
async function perceiveSamples(job: MediaJob, facts: VideoFacts, picture: Pixels): Promise<PerceivedFrame[]> {
  const { slug } = job.media;
  const names = await readdir(job.folder);
  const count = names.filter((name) => /^sample-\d+\.png$/.test(name)).length;
  if (count === 0) return [await perceiveFrame(picture, { slug, index: 0, at: 0, folder: job.folder })];
  const interval = sampleInterval(facts.duration);
  const perceived: PerceivedFrame[] = [];
  for (let index = 0; index < count; index++) {
    const pixels = await toPixels(openStill(join(job.folder, `sample-${index + 1}.png`)));
    const at = Math.round((index + 0.5) * interval * 1000) / 1000;
    perceived.push(await perceiveFrame(pixels, { slug, index, at, folder: job.folder }));
  }
  return perceived;
}
