import type { MediaProcessingRequested, MediaVariantsStored } from '../events/processing-events';
import { isSlug } from '../vocabulary/identifiers';
import { objectKeys } from '../media/object-keys';
import {
  type LoopVariant,
  PICTURE_TYPES,
  type StepVariant,
  type StillVariant,
  type StoredVariant,
  VARIANT_TYPES,
  type VariantRecord,
} from '../media/variant-record';
import {
  IMAGE_EDGE,
  MAX_VARIANT_EDGE,
  limitedEdge,
  LOOP_EDGE,
  STILL_EDGE,
  STILL_EXTENSIONS,
  VARIANT_NAMES,
  VARIANT_SIZES,
  type VariantName,
  VIDEO_LINES,
  VIDEO_THUMB_EDGE,
} from '../media/variant-size';

/** Largest number of pictures of one media item for the classifier. */
export const MAX_MODERATION_FRAMES = 32;
/** Largest number of perceptual hashes of one media item. */
const MAX_HASHES = 2_000;

/** More than the largest possible MAX_FILE_BYTES. */
const MAX_BYTES = 2 ** 36;
/** Pixels of an edge. An image has at most 100 megapixels and may be one pixel high. */
const MAX_EDGE = 100_000_000;
/** Pixels by which the edges of a variant may be rounded. */
const ROUNDING = 2;
const MAX_THUMBHASH_LENGTH = 64;
/** Base64 of seven hashes of 32 bytes. */
const MAX_TURNED_LENGTH = 300;
/** A month. */
const MAX_DURATION_SECONDS = 31 * 86_400;

type Media = Pick<MediaProcessingRequested, 'slug' | 'kind' | 'ext' | 'mime' | 'bytes'>;
export type ProcessingResult = Omit<MediaVariantsStored, 'media_id' | 'took_ms'>;

/** Processing cannot have this result for this file. The message says why. */
class ImplausibleError extends Error {}

/**
 * What is wrong with a result of processing; null if this media item can have it: its own keys, every variant once with a
 * type and a size that variants have, well-formed hashes, its own frames. A decoder that a hostile file has taken over
 * may write anything, so every result must be checked by this.
 */
export const findImplausible = (result: ProcessingResult, media: Media): string | null =>
  messageOf(() => assertPlausibleResult(result, media));

/** The same for the parts that moderation reads: the slug, the frames and the hashes. */
export const findImplausibleEvidence = (
  evidence: Pick<ProcessingResult, 'slug' | 'frames' | 'hashes'>,
): string | null => messageOf(() => assertPlausibleEvidence(evidence));

function messageOf(assertion: () => void): string | null {
  try {
    assertion();
    return null;
  } catch (error) {
    return error instanceof ImplausibleError ? error.message : `is malformed: ${String(error)}`;
  }
}

function assertPlausibleResult(event: ProcessingResult, media: Media): void {
  assertPlausibleEvidence(event);
  check(event.slug === media.slug, `names ${event.slug} and means ${media.slug}`);
  check(isList(event.variants, VARIANT_NAMES.length), 'has no list of variants');
  const names = new Set(event.variants.map(({ name }) => name));
  check(
    event.variants.length === VARIANT_NAMES.length && VARIANT_NAMES.every((name) => names.has(name)),
    'does not have each variant once',
  );
  event.variants.forEach((variant) => assertPlausibleVariant(variant, media));
  if (event.still !== undefined) assertPlausibleStill(event.still, media);
  if (event.loop !== undefined) assertPlausibleLoop(event.loop, media);
  if (event.step !== undefined) assertPlausibleStep(event.step, media);
  check([true, false, undefined].includes(event.fully_seen), 'does not say whether all of it was seen');
  check(isEdge(event.width) && isEdge(event.height), 'has impossible dimensions');
  check(
    media.kind === 'image' ? event.duration === null : isSeconds(event.duration),
    'has an impossible duration',
  );
  check(
    typeof event.thumbhash === 'string' &&
      event.thumbhash.length <= MAX_THUMBHASH_LENGTH &&
      /^[A-Za-z0-9+/]+=*$/.test(event.thumbhash),
    'has a malformed thumbhash',
  );
}

function assertPlausibleEvidence({
  slug,
  frames,
  hashes,
}: Pick<ProcessingResult, 'slug' | 'frames' | 'hashes'>): void {
  check(typeof slug === 'string' && isSlug(slug), 'has no slug');
  check(isList(frames, MAX_MODERATION_FRAMES), 'has no list of frames, or too many');
  const own = new Set(
    Array.from({ length: MAX_MODERATION_FRAMES }, (_, index) => objectKeys.moderationFrame(slug, index)),
  );
  check(
    frames.every((key) => own.has(key)) && new Set(frames).size === frames.length,
    'has frames that are not its own',
  );
  check(isList(hashes, MAX_HASHES), 'has no list of hashes, or too many');
  for (const hash of hashes) {
    const { pdq, quality, at, turned = '', border_cut: cut = false } = hash ?? {};
    check(typeof pdq === 'string' && /^[0-9a-f]{64}$/.test(pdq), 'has a malformed hash');
    check(Number.isInteger(quality) && quality >= 0 && quality <= 100, 'has a hash of impossible quality');
    check(isSeconds(at), 'has a hash at an impossible time');
    check(
      typeof turned === 'string' && turned.length <= MAX_TURNED_LENGTH,
      'has turned hashes that are too long',
    );
    check(/^[A-Za-z0-9+/]*=*$/.test(turned) && typeof cut === 'boolean', 'has a malformed hash');
  }
}

function assertPlausibleVariant(variant: VariantRecord, media: Media): void {
  const { name, key, ext, mime, bytes } = variant;
  const what = `has a variant ${name} `;
  assertMeasured(variant, what);
  if (key === objectKeys.original(media.slug, media.ext)) {
    check(ext === media.ext && mime === media.mime && bytes === media.bytes, `${what}unlike the original`);
    return;
  }
  check(Object.hasOwn(VARIANT_TYPES, ext) && mime === VARIANT_TYPES[ext], `${what}of type ${String(mime)}`);
  const still = media.kind === 'image' || name === 'thumb';
  check(still === (ext !== 'mp4'), `${what}of type ${String(mime)}`);
  // Several names may share one picture of an image; a video's still has its own picture.
  const sizes: readonly VariantName[] =
    media.kind === 'image' ? VARIANT_NAMES : name === 'thumb' ? ['thumb'] : VARIANT_SIZES;
  const size = sizes.find((each) => key === objectKeys.variant(media.slug, each, ext));
  if (size === undefined) throw new ImplausibleError(`${what}under a foreign key`);
  check(fits(variant, size, media.kind), `${what}that is too large`);
}

/** An animation's first frame, in a format that every browser shows. */
function assertPlausibleStill(still: StillVariant, media: Media): void {
  const what = 'has a still ';
  const { key, ext, mime, name } = still;
  check(media.kind === 'image' && name === 'still', `${what}of another kind`);
  assertMeasured(still, what);
  check(STILL_EXTENSIONS.includes(ext) && mime === VARIANT_TYPES[ext], `${what}of type ${String(mime)}`);
  check(key === objectKeys.variant(media.slug, 'still', ext), `${what}under a foreign key`);
  check(Math.max(still.width, still.height) <= STILL_EDGE + ROUNDING, `${what}that is too large`);
}

/** An animation as MP4. */
function assertPlausibleLoop(loop: LoopVariant, media: Media): void {
  const what = 'has a loop ';
  const { key, ext, mime, name } = loop;
  check(media.kind === 'image' && name === 'loop', `${what}of another kind`);
  assertMeasured(loop, what);
  check(ext === 'mp4' && mime === VARIANT_TYPES[ext], `${what}of type ${String(mime)}`);
  check(key === objectKeys.variant(media.slug, 'loop', ext), `${what}under a foreign key`);
  check(Math.max(loop.width, loop.height) <= LOOP_EDGE + ROUNDING, `${what}that is too large`);
}

/** A picture between two sizes, in a format that every browser shows. */
function assertPlausibleStep(step: StepVariant, media: Media): void {
  const what = 'has a step ';
  const { key, ext, mime, name } = step;
  check(media.kind === 'image' && name === 'ml', `${what}of another kind`);
  assertMeasured(step, what);
  check(Object.hasOwn(PICTURE_TYPES, ext) && mime === VARIANT_TYPES[ext], `${what}of type ${String(mime)}`);
  check(key === objectKeys.variant(media.slug, 'ml', ext), `${what}under a foreign key`);
  check(isWithin(step, IMAGE_EDGE.ml), `${what}that is too large`);
}

function assertMeasured({ width, height, bytes }: StoredVariant, what: string): void {
  check(isEdge(width) && isEdge(height), `${what}of impossible dimensions`);
  check(Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MAX_BYTES, `${what}of an impossible size`);
}

/** Whether a variant is not larger than its size allows. */
function fits(variant: VariantRecord, size: VariantName, kind: 'image' | 'video'): boolean {
  const { width, height } = variant;
  if (kind === 'video' && size !== 'thumb') return Math.min(width, height) <= VIDEO_LINES[size] + ROUNDING;
  const longest = Math.max(width, height);
  if (kind === 'video' || size === 'thumb') return longest <= VIDEO_THUMB_EDGE + ROUNDING;
  return isWithin(variant, IMAGE_EDGE[size]);
}

const isWithin = (variant: StoredVariant, edge: number): boolean =>
  limitedEdge(variant) <= edge + 2 * ROUNDING && Math.max(variant.width, variant.height) <= MAX_VARIANT_EDGE;

const isList = (value: unknown, most: number): boolean => Array.isArray(value) && value.length <= most;

const isEdge = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_EDGE;

const isSeconds = (value: unknown): boolean =>
  value === null || (Number.isFinite(value) && Number(value) >= 0 && Number(value) <= MAX_DURATION_SECONDS);

function check(holds: boolean, what: string): void {
  if (!holds) throw new ImplausibleError(what);
}
