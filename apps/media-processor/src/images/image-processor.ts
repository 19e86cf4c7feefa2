import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  IMAGE_EDGE,
  type ImageSize,
  type LoopVariant,
  objectKeys,
  PICTURE_TYPES,
  STILL_EDGE,
  type StillVariant,
  VARIANT_SIZES,
  type VariantRecord,
} from '@vitrine/contracts';
import { refuseOnFailure } from '../failures/failures';
import type { JobResult, MadeFile, MediaJob } from '../jobs/protocol';
import {
  flattenOn,
  FRAME_EDGE,
  hashFlat,
  JudgedFrames,
  thumbhashOf,
  type Perceived,
} from '../perception/perceive';
import { perceiveAnimation } from '../perception/perceive-animation';
import { encode, encodeAnimation, type VariantExtension } from '../pixels/encoders';
import { openAnimation, openFrame, openFrames } from '../pixels/open-image';
import {
  fromPixels,
  fromRoll,
  frameOf,
  isTranslucent,
  longParts,
  resizePixels,
  sliceOf,
  toPixels,
  type Pixels,
  type Roll,
} from '../pixels/pixels';
import {
  enlarged,
  fitLongestEdge,
  planVariants,
  type Dimensions,
  type VariantPlan,
} from '../pixels/variant-plan';
import { LOOP_FILE, makeLoop } from './animation-loop';
import { convertToSrgb, decodeFor, withGamut, type Still } from './decode-still';
import { openSource, type ImageSource } from './image-source';
import { perceiveOtherPictures } from './other-pictures';

/**
 * Bytes of the decoded frames of an animation that are kept in memory. A larger animation is decoded again for each
 * size.
 */
const ROLL_BYTES = 128 * 1024 * 1024;

type Timing = NonNullable<ImageSource['timing']>;

interface Made {
  readonly still?: StillVariant;
  readonly loop?: LoopVariant | undefined;
  readonly pictures: ReadonlyMap<ImageSize, Picture>;
  readonly perceived: Perceived;
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
   * Writes everything into the job's folder. Throws `UnprocessableFileError` if the file can't be decoded or exceeds
   * a limit, and `Error` if the machine is at fault.
   */
  async process(job: MediaJob): Promise<JobResult> {
    const source = await openSource(job);
    const drawn = source.drawing?.isScalable ? enlarged(source) : source;
    const plan = planVariants(drawn, source.originalServes, !source.timing);
    const { pictures, still, loop, perceived, thumbhash } = source.timing
      ? await makeAnimation(job, source, source.timing, plan, this.limits)
      : await makeStill(job, source, plan);
    return {
      files: [
        ...[...pictures.values(), ...perceived.frames].map(({ file, key }) => ({ file, key })),
        ...(still ? [{ file: fileOfStill(still), key: still.key }] : []),
        ...(loop ? [{ file: LOOP_FILE, key: loop.key }] : []),
      ],
      variants: describeVariants(job, source, plan, pictures),
      ...(still && { still }),
      ...(loop && { loop }),
      ...stepOf(pictures),
      frames: perceived.frames.map(({ key }) => key),
      hashes: perceived.hashes,
      fully_seen: perceived.fullySeen,
      thumbhash,
      width: source.width,
      height: source.height,
      duration: null,
    };
  }
}

/** Decodes once, at the largest size that is needed. Each smaller picture is made from the next larger one. */
async function makeStill(job: MediaJob, source: ImageSource, plan: VariantPlan): Promise<Made> {
  const { slug } = job.media;
  const largest = plan.made[0] ?? source;
  const first = await refuseOnFailure(() => decodeFor(source.extension(false), source, largest));
  let { pixels } = first;
  const { profile } = first;
  const ext = source.extension(isTranslucent(pixels));
  const pictures = new Map<ImageSize, Picture>();
  let seen = pixels;
  let readable = pixels;
  for (const { size, width, height } of plan.made) {
    pixels = await resizePixels(pixels, { width, height });
    const file = `${size}.${ext}`;
    const encoded = encode(withGamut({ pixels, profile }), ext, Math.max(width, height));
    const { size: bytes } = await encoded.toFile(join(job.folder, file));
    pictures.set(size, { file, key: objectKeys.variant(slug, size, ext), ext, bytes, width, height });
    if (Math.max(width, height) >= FRAME_EDGE) seen = pixels;
    if (Math.min(width, height) >= FRAME_EDGE / 2) readable = pixels;
  }
  const judged = new JudgedFrames(job);
  const shown: Pixels[] = [];
  for (const view of await viewsOf(source, { pixels: seen, profile })) shown.push(...(await flattenOn(view)));
  await judged.addFlat(shown);
  for (const part of await longParts(readable))
    await judged.add(await convertToSrgb({ pixels: part, profile }));
  const others = await perceiveOtherPictures(job, judged);
  const hashes = [...(await hashFlat(shown)), ...others.hashes];
  const perceived = { frames: judged.files, hashes, fullySeen: others.fullySeen };
  return { pictures, perceived, thumbhash: await thumbhashOf(await convertToSrgb({ pixels, profile })) };
}

/**
 * What a page shows of a still, in sRGB. Only a wide gamut has more than one view: a browser converts all pixels of the original,
 * while variants in its colour space, now or when copies are made later, are converted after they were reduced to some size.
 */
async function viewsOf(source: ImageSource, seen: Still): Promise<Pixels[]> {
  if (!source.wideGamut) return [seen.pixels];
  const size = fitLongestEdge(source, FRAME_EDGE);
  const decode = (ext: VariantExtension): Promise<Still> =>
    refuseOnFailure(() => decodeFor(ext, source, size));
  const converted = seen.profile ? (await decode('jpg')).pixels : seen.pixels;
  const { pixels, profile } = seen.profile ? seen : await decode('webp');
  const views = [converted];
  for (const edge of [FRAME_EDGE, IMAGE_EDGE.xs]) {
    const reduced = await resizePixels(pixels, fitLongestEdge(pixels, edge));
    views.push(await convertToSrgb({ pixels: reduced, profile }));
  }
  return views;
}

/** Makes each size as an animated WebP with the delays and the loop of the source. */
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
  const pictures = new Map<ImageSize, Picture>();
  for (const { size, width, height } of plan.made) {
    const frames = roll ? fromRoll(roll) : openAnimation(source.input);
    const resized = frames.resize(width, height, { fit: 'fill' });
    // At its own dimensions, the picture keeps its pixels unchanged.
    const lossless = width === source.width && height === source.height;
    const bytes = await refuseOnFailure(() => encodeAnimation(resized, timing, lossless).toBuffer());
    const file = `${size}.webp`;
    await writeFile(join(job.folder, file), bytes);
    const key = objectKeys.variant(slug, size, 'webp');
    pictures.set(size, { file, key, ext: 'webp', bytes: bytes.length, width, height });
  }
  const full = (page: number): Promise<Pixels> =>
    roll ? Promise.resolve(frameOf(roll, page)) : decodeFrame(source, largest, page);
  const small = async (first: number, pages: number, width: number, height: number): Promise<Pixels[]> => {
    const isInRoll = roll && width <= roll.width && height <= roll.frameHeight;
    const frames = isInRoll ? fromRoll(sliceOf(roll, first, pages)) : openFrames(source.input, first, pages);
    const pixels = await refuseOnFailure(() =>
      toPixels(frames.resize(width, height, { fit: 'fill' }).ensureAlpha()),
    );
    return Array.from({ length: pages }, (_, page) => frameOf({ ...pixels, frameHeight: height }, page));
  };
  const judged = new JudgedFrames(job);
  const frames = { delays: timing.delay, small, full };
  const moving = await perceiveAnimation(job, largest, frames, judged);
  const others = await perceiveOtherPictures(job, judged);
  const perceived = {
    frames: judged.files,
    hashes: [...moving.hashes, ...others.hashes],
    fullySeen: moving.fullySeen && others.fullySeen,
  };
  const first = await full(0);
  const { lg } = plan.servedBy;
  const insteadOfBytes = (lg === 'original' ? undefined : pictures.get(lg)?.bytes) ?? job.media.bytes;
  // A loop repeats without end, so others have none.
  const loop =
    timing.loop === 0
      ? await makeLoop(job, { width: source.width, height: source.height, frames, insteadOfBytes })
      : undefined;
  const still = await makeStillOf(job, first);
  return { pictures, still, loop, perceived, thumbhash: await thumbhashOf(first) };
}

/** Writes the first frame of an animation as a picture: JPEG, or WebP if it is translucent. */
async function makeStillOf(job: MediaJob, first: Pixels): Promise<StillVariant> {
  const { width, height } = fitLongestEdge(first, STILL_EDGE);
  const pixels = await resizePixels(first, { width, height });
  const ext = isTranslucent(first) ? 'webp' : 'jpg';
  const key = objectKeys.variant(job.media.slug, 'still', ext);
  const still = { name: 'still', key, ext, mime: PICTURE_TYPES[ext], width, height } as const;
  const { size: bytes } = await encode(fromPixels(pixels), ext, STILL_EDGE).toFile(
    join(job.folder, fileOfStill(still)),
  );
  return { ...still, bytes };
}

const fileOfStill = ({ ext }: Pick<StillVariant, 'ext'>): string => `still.${ext}`;

function decodeRoll(source: ImageSource, { width, height }: Dimensions): Promise<Roll> {
  return refuseOnFailure(async () => {
    const frames = openAnimation(source.input).resize(width, height, { fit: 'fill' }).ensureAlpha();
    return { ...(await toPixels(frames)), frameHeight: height };
  });
}

const decodeFrame = (source: ImageSource, { width, height }: Dimensions, page: number): Promise<Pixels> =>
  refuseOnFailure(() => toPixels(openFrame(source.input, page).resize(width, height, { fit: 'fill' })));

function describeVariants(
  job: MediaJob,
  source: Dimensions,
  plan: VariantPlan,
  pictures: ReadonlyMap<ImageSize, Picture>,
): VariantRecord[] {
  const { slug, ext, mime, bytes } = job.media;
  // The bytes may be stored under another media item's key.
  const key = objectKeys.original(slug, ext);
  const original = { key, ext, mime, bytes, width: source.width, height: source.height };
  const sized = VARIANT_SIZES.map((size): VariantRecord => {
    const server = plan.servedBy[size];
    const picture = server === 'original' ? undefined : pictures.get(server);
    return { name: size, ...(picture ? stored(picture) : original) };
  });
  return [...sized, { ...(sized[0] as VariantRecord), name: 'thumb' }];
}

function stored({ file: _, ...picture }: Picture): Omit<VariantRecord, 'name'> {
  return { ...picture, mime: PICTURE_TYPES[picture.ext] };
}

function stepOf(pictures: ReadonlyMap<ImageSize, Picture>): Pick<JobResult, 'step'> {
  const picture = pictures.get('ml');
  return picture ? { step: { name: 'ml', ...stored(picture) } } : {};
}
