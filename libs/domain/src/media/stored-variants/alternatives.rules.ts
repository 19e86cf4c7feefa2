import {
  ALTERNATIVE_EXTENSIONS,
  type AlternativeRecord,
  type AlternativeSource,
  isSized,
  type MediaAlternativesMade,
  objectKeys,
  savesEnough,
} from '@vitrine/contracts';
import { isAnimation, type VariantSource } from '../links/variant.rules';
import type { MediaEntity } from '../rows/media.entity';
import { assertSameMedia, ImplausibleResultError } from '../rows/processing-result.rules';
import { estimateProcessing } from '../processing-turns/processing-turns.rules';

/** The columns of a media item that its alternatives depend on. */
export type Photograph = VariantSource & Readonly<Pick<MediaEntity, 'slug' | 'width' | 'height'>>;

/** The types of variants that get alternatives, by extension. */
const SOURCES: readonly string[] = ['jpg', 'png'];

/**
 * The stored variants of a media item of which alternatives are made, each object once: the JPEGs and PNGs of a still
 * picture that is quick work, and an original that serves as one. Empty for everything else.
 */
export function sourcesOf(media: Photograph): readonly AlternativeSource[] {
  if (media.kind !== 'image' || isAnimation(media) || estimateProcessing(media).lane !== 'quick') return [];
  const stored = media.variants.filter((variant) => !isSized(variant) || !variant.removed);
  const pictures = stored.filter(({ ext }) => SOURCES.includes(ext));
  const byKey = new Map(
    pictures.map(({ key, width, height, bytes }) => [key, { key, width, height, bytes }] as const),
  );
  return [...byKey.values()];
}

/** By how many bytes alternatives are smaller than the variants of which they are copies. */
export const savedBytes = (
  alternatives: readonly AlternativeRecord[],
  { variants }: Pick<VariantSource, 'variants'>,
): number =>
  alternatives.reduce((sum, { of, bytes }) => {
    const variant = variants.find(({ key }) => key === of);
    return sum + (variant ? variant.bytes - bytes : 0);
  }, 0);

/** Throws `ImplausibleResultError` if the message can't be about this media item. */
export function assertPlausibleAlternatives(
  event: MediaAlternativesMade,
  media: { readonly slug: string } & Pick<VariantSource, 'variants'>,
): void {
  assertSameMedia(event, media);
  const { attempt, outcome, alternatives, took_ms } = event;
  const isCounted = Number.isSafeInteger(attempt) && Number.isFinite(took_ms) && took_ms >= 0;
  if (!isCounted || (outcome !== 'made' && outcome !== 'busy') || !Array.isArray(alternatives))
    throw new ImplausibleResultError('is incomplete');
  if (outcome === 'busy' && alternatives.length > 0)
    throw new ImplausibleResultError('names objects that were not made');
  if (new Set(alternatives.map(({ key }) => key)).size !== alternatives.length)
    throw new ImplausibleResultError('names an object twice');
  if (!alternatives.every((alternative) => isPlausible(alternative, media)))
    throw new ImplausibleResultError('names an object that is no alternative of a variant, or too large');
}

function isPlausible(
  { of, key, ext, bytes }: AlternativeRecord,
  { variants }: Pick<VariantSource, 'variants'>,
): boolean {
  const variant = variants.find((stored) => stored.key === of);
  if (!variant || !SOURCES.includes(variant.ext) || !ALTERNATIVE_EXTENSIONS.includes(ext)) return false;
  if (!Number.isSafeInteger(bytes) || bytes <= 0 || !savesEnough(bytes, variant)) return false;
  return key === objectKeys.alternative(of, ext);
}
