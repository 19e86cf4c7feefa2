import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectKeys, VARIANT_SIZES, type VariantRecord, type VariantSize } from '@vitrine/contracts';
import {
  FRAME_EDGE,
  perceiveFrame,
  sampleFrames,
  thumbhashOf,
  type PerceivedFrame,
} from '../perception/perceive';
import type { JobResult, MadeFile, MediaJob } from '../worker/protocol';
import { encode, encodeAnimation, VARIANT_MIME, type VariantExtension } from './encoders';
import { openSource, refuse, type ImageSource } from './image-source';
import { openAnimation, openFrame, openStill } from './open-image';
import {
  fromPixels,
  fromRoll,
  frameOf,
  isTranslucent,
  resizePixels,
  toPixels,
  type Pixels,
  type Roll,
} from './pixels';
import { planVariants, type Dimensions, type VariantPlan } from './variant-plan';

/** Decoded frames of an animation that are kept in memory together, in bytes; a larger one is decoded again for each size. */
const ROLL_BYTES = 128 * 1024 * 1024;

type Timing = NonNullable<ImageSource['timing']>;

interface Made {
  readonly pictures: ReadonlyMap<VariantSize, Picture>;
  readonly perceived: readonly PerceivedFrame[];
  readonly thumbhash: string;
}

interface Picture extends Dimensions, MadeFile {
  readonly ext: VariantExtension;
  readonly bytes: number;
}

/** Turns one image or animation into its variants, thumbhash, perceptual hashes and moderation frames. */
export class ImageProcessor {
  constructor(private readonly limits = { rollBytes: ROLL_BYTES }) {}

  /**
   * Writes everything into the job's folder. Throws `UnprocessableFileError` where the file can't be decoded or is
   * over budget, and `Error` where the machine is at fault.
   */
  async process(job: MediaJob): Promise<JobResult> {
    const source = await openSource(job);
    const plan = planVariants(source, source.originalServes);
    const { pictures, perceived, thumbhash } = source.timing
      ? await makeAnimation(job, source, source.timing, plan, this.limits)
      : await makeStill(job, source, plan);
    return {
      files: [...pictures.values(), ...perceived.map((frame) => frame.file)].map(({ file, key }) => ({
        file,
        key,
      })),
      variants: describeVariants(job, source, plan, pictures),
      frames: perceived.map((frame) => frame.file.key),
      hashes: perceived.map((frame) => frame.hash),
      thumbhash,
      width: source.width,
      height: source.height,
      duration: null,
    };
  }
}

/** Decodes once, at the largest size that is needed; each smaller picture is made of the next larger one's pixels. */
async function makeStill(job: MediaJob, source: ImageSource, plan: VariantPlan): Promise<Made> {
  const { slug } = job.media;
  const largest = plan.made[0] ?? source;
  let pixels = await refuse(() =>
    toPixels(openStill(source.input).resize(largest.width, largest.height, { fit: 'fill' })),
  );
  const ext = source.extension(isTranslucent(pixels));
  const pictures = new Map<VariantSize, Picture>();
  let seen = pixels;
  for (const { size, width, height } of plan.made) {
    if (pixels.width !== width || pixels.height !== height)
      pixels = await resizePixels(pixels, { width, height });
    const file = `${size}.${ext}`;
    const { size: bytes } = await encode(fromPixels(pixels), ext).toFile(join(job.folder, file));
    pictures.set(size, { file, key: objectKeys.variant(slug, size, ext), ext, bytes, width, height });
    if (Math.max(width, height) >= FRAME_EDGE) seen = pixels;
  }
  const frame = await perceiveFrame(seen, { slug, index: 0, at: 0, folder: job.folder });
  return { pictures, perceived: [frame], thumbhash: await thumbhashOf(pixels) };
}

/** Every size is an animated WebP with the source's delays and loop. */
async function makeAnimation(
  job: MediaJob,
  source: ImageSource,
  timing: Timing,
  plan: VariantPlan,
  { rollBytes }: { readonly rollBytes: number },
): Promise<Made> {
  const { slug } = job.media;
  const count = timing.delay.length;
  const largest = plan.made[0] ?? source;
  const fits = largest.width * largest.height * 4 * count <= rollBytes;
  const roll = fits ? await decodeRoll(source, largest) : null;
  const pictures = new Map<VariantSize, Picture>();
  for (const { size, width, height } of plan.made) {
    const frames = roll ? fromRoll(roll) : openAnimation(source.input);
    const resized = frames.resize(width, height, { fit: 'fill' });
    // In its own dimensions a picture keeps its own pixels.
    const lossless = width === source.width && height === source.height;
    const bytes = await refuse(() => encodeAnimation(resized, timing, lossless).toBuffer());
    const file = `${size}.webp`;
    await writeFile(join(job.folder, file), bytes);
    const key = objectKeys.variant(slug, size, 'webp');
    pictures.set(size, { file, key, ext: 'webp', bytes: bytes.length, width, height });
  }
  const perceived: PerceivedFrame[] = [];
  let thumbhash: string | undefined;
  for (const [index, page] of sampleFrames(count).entries()) {
    const pixels = roll ? frameOf(roll, page) : await decodeFrame(source, largest, page);
    thumbhash ??= await thumbhashOf(pixels);
    const at = timing.delay.slice(0, page).reduce((sum, delay) => sum + delay, 0) / 1000;
    perceived.push(await perceiveFrame(pixels, { slug, index, at, folder: job.folder }));
  }
  return { pictures, perceived, thumbhash: thumbhash ?? '' };
}

function decodeRoll(source: ImageSource, { width, height }: Dimensions): Promise<Roll> {
  return refuse(async () => {
    const frames = openAnimation(source.input).resize(width, height, { fit: 'fill' }).ensureAlpha();
    return { ...(await toPixels(frames)), frameHeight: height };
  });
}

const decodeFrame = (source: ImageSource, { width, height }: Dimensions, page: number): Promise<Pixels> =>
  refuse(() => toPixels(openFrame(source.input, page).resize(width, height, { fit: 'fill' })));

function describeVariants(
  job: MediaJob,
  source: Dimensions,
  plan: VariantPlan,
  pictures: ReadonlyMap<VariantSize, Picture>,
): VariantRecord[] {
  const { key, ext, mime, bytes } = job.media;
  const original = { key, ext, mime, bytes, width: source.width, height: source.height };
  const sized = VARIANT_SIZES.map((size): VariantRecord => {
    const server = plan.servedBy[size];
    const picture = server === 'original' ? undefined : pictures.get(server);
    if (!picture) return { name: size, ...original };
    const { file: _, ...stored } = picture;
    return { name: size, ...stored, mime: VARIANT_MIME[picture.ext] };
  });
  return [...sized, { ...(sized[0] as VariantRecord), name: 'thumb' }];
}
