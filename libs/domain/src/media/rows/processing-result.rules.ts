import {
  findImplausible,
  findImplausibleEvidence,
  isSlug,
  type MediaProcessingFailed,
  type MediaOverran,
  type MediaProgressed,
  type MediaVariantsStored,
} from '@vitrine/contracts';
import { TerminalError } from '@vitrine/messaging';
import type { MediaEntity } from './media.entity';

/**
 * A message of media-processor that can't be true for its file. It becomes a dead letter and has no effect.
 */
export class ImplausibleResultError extends TerminalError {
  override readonly name = 'ImplausibleResultError';
  constructor(problem: string) {
    super(`The media-processor's message ${problem}`);
  }
}

/** The largest length of a reason, which is one sentence. */
const MAX_REASON = 300;

/** Throws `ImplausibleResultError` if the slug of a message isn't that of its media item. */
export function assertSameMedia({ slug }: { readonly slug: string }, media: { readonly slug: string }): void {
  if (slug !== media.slug) throw new ImplausibleResultError(`names ${slug} and means ${media.slug}`);
}

/** Throws `ImplausibleResultError` if `findImplausible` finds a problem. */
export function assertPlausibleResult(event: MediaVariantsStored, media: MediaEntity): void {
  throwIf(findImplausible(event, media));
}

/** Throws `ImplausibleResultError` if `findImplausibleEvidence` finds a problem. */
export function assertPlausibleEvidence(event: MediaVariantsStored): void {
  throwIf(findImplausibleEvidence(event));
}

/** Throws `ImplausibleResultError` if the message has no slug, or no printable reason of 1 to 300 characters. */
export function assertPlausibleFailure(event: MediaProcessingFailed): void {
  assertSlug(event);
  const { reason } = event;
  const sentence =
    typeof reason === 'string' && reason.length > 0 && reason.length <= MAX_REASON && !/\p{Cc}/u.test(reason);
  throwIf(sentence ? null : 'has no reason, or one that is no sentence');
}

/** Throws `ImplausibleResultError` if this is no progress of a media item. */
export function assertPlausibleProgress(event: MediaProgressed): void {
  assertSlug(event);
  const { media_id: id, percent } = event;
  const isPercent = Number.isInteger(percent) && percent >= 0 && percent <= 100;
  throwIf(Number.isSafeInteger(id) && isPercent ? null : 'is no progress');
}

/** Throws `ImplausibleResultError` if the message has no slug. */
export function assertSlug({
  slug,
}: MediaOverran | MediaProgressed | MediaProcessingFailed | MediaVariantsStored): void {
  throwIf(typeof slug === 'string' && isSlug(slug) ? null : 'has no slug');
}

function throwIf(problem: string | null): void {
  if (problem !== null) throw new ImplausibleResultError(problem);
}
