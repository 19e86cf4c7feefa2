import { VitrineError } from '@vitrine/client';
import type { Failure } from './queue';

/** What an upload that came to nothing means for its file. */
export type Trouble =
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'stumbled'; readonly afterMs: number }
  | { readonly type: 'limited'; readonly afterMs: number }
  /** The ticket is over. */
  | { readonly type: 'unticketed' };

const DEFAULT_LIMIT_MS = 30_000;

/** Reads an error of `media.upload`. Throws what is none of those: a bug. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof VitrineError)) throw error;
  const afterMs = (error.retryAfter ?? 0) * 1000;
  switch (error.code) {
    case 'unauthenticated':
      return { type: 'unticketed' };
    case 'rate_limited':
      return { type: 'limited', afterMs: afterMs || DEFAULT_LIMIT_MS };
    case 'network':
    case 'unavailable':
    case 'server_error':
    case 'unexpected_answer':
    case 'conflict':
      // A conflict: the first try of the same file is still being carried out.
      return { type: 'stumbled', afterMs };
    case 'banned':
      return hopeless('This file may not be hosted here: it was banned by our moderators.');
    default:
      return error.status === 413 ? hopeless(TOO_LARGE) : ofRefusal(error);
  }
}

const TOO_LARGE = 'This file is larger than we take. Try a smaller version.';

function ofRefusal(error: VitrineError): Trouble {
  const sentence = error.errors['file']?.join(' ') ?? '';
  const [, message] = REFUSALS.find(([pattern]) => pattern.test(sentence)) ?? [];
  if (message !== undefined) return hopeless(message);
  return { type: 'refused', failure: { reason: 'refused', message: `It was refused: ${error.message}` } };
}

/** The upload service's sentences on `file`, and what they mean to whoever chose it. */
const REFUSALS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /file of type/,
    'This is no picture or video that we know. We take JPEG, PNG, GIF, WebP, AVIF, HEIC, SVG, MP4, MOV, WebM and their like.',
  ],
  [/readable/, 'This file is damaged, or not what its name says. Try to save it anew, then upload that.'],
  [/greater than/, TOO_LARGE],
  [/megapixels/, 'This picture has more pixels than we take (100 megapixels). Try a smaller version.'],
  [/empty/, 'This file is empty.'],
];

const hopeless = (message: string): Trouble => ({
  type: 'refused',
  failure: { reason: 'hopeless', message },
});

/** What the browser can't read any more it can't send either, whatever the connection. */
export const VANISHED: Failure = {
  reason: 'hopeless',
  message: 'This file was changed, moved or removed since you chose it. Choose it again.',
};
