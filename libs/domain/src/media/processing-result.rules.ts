import {
  findImplausible,
  findImplausibleEvidence,
  type MediaFailed,
  type MediaOverran,
  type MediaProcessed,
} from '@vitrine/contracts';
import { TerminalError } from '@vitrine/messaging';
import { isSlug } from '../slugs/slug';
import type { MediaEntity } from './media.entity';

/**
 * The media-processor's message can't be true of the file. The message becomes a dead letter, and nothing is done with
 * it.
 */
export class ImplausibleResultError extends TerminalError {
  override readonly name = 'ImplausibleResultError';
  constructor(problem: string) {
    super(`The media-processor's message ${problem}`);
  }
}

/** Most characters of a reason: a sentence, with room. */
const LONGEST_REASON = 300;

/** Throws `ImplausibleResultError` where a message about one media item names another one's slug. */
export function assertSameMedia({ slug }: { readonly slug: string }, media: { readonly slug: string }): void {
  if (slug !== media.slug) throw new ImplausibleResultError(`names ${slug} and means ${media.slug}`);
}

/** Throws `ImplausibleResultError` unless `findImplausible` finds nothing. */
export function assertPlausibleResult(event: MediaProcessed, media: MediaEntity): void {
  refuse(findImplausible(event, media));
}

/** Throws `ImplausibleResultError` unless `findImplausibleEvidence` finds nothing. */
export function assertPlausibleEvidence(event: MediaProcessed): void {
  refuse(findImplausibleEvidence(event));
}

/** Throws `ImplausibleResultError` unless the message names a slug and its reason is a sentence. */
export function assertPlausibleFailure(event: MediaFailed): void {
  assertSlug(event);
  const { reason } = event;
  const sentence =
    typeof reason === 'string' &&
    reason.length > 0 &&
    reason.length <= LONGEST_REASON &&
    !/\p{Cc}/u.test(reason);
  refuse(sentence ? null : 'has no reason, or one that is no sentence');
}

/** Throws `ImplausibleResultError` unless the message names a slug. */
export function assertSlug({ slug }: MediaOverran | MediaFailed | MediaProcessed): void {
  refuse(typeof slug === 'string' && isSlug(slug) ? null : 'has no slug');
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new ImplausibleResultError(problem);
}
