import { VitrineError } from '@vitrine/client';
import type { Failure } from './queue';

/** What a failed upload means for its file. */
export type UploadProblem =
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'retryable'; readonly afterMs: number }
  | { readonly type: 'limited'; readonly afterMs: number }
  /** The ticket has expired. */
  | { readonly type: 'ticketExpired' };

const DEFAULT_LIMIT_MS = 30_000;

/** Converts an error of `media.upload`. Rethrows other errors, which are bugs. */
export function uploadProblemOf(error: unknown): UploadProblem {
  if (!(error instanceof VitrineError)) throw error;
  const afterMs = (error.retryAfter ?? 0) * 1000;
  switch (error.code) {
    case 'unauthenticated':
      return { type: 'ticketExpired' };
    case 'rate_limited':
      return { type: 'limited', afterMs: afterMs || DEFAULT_LIMIT_MS };
    case 'network':
    case 'unavailable':
    case 'server_error':
    case 'unexpected_answer':
    case 'conflict':
      // A conflict: the first request for the same file is still being executed.
      return { type: 'retryable', afterMs };
    case 'banned':
      return permanentFailure('This file can’t be uploaded: moderators have banned it.');
    case 'insufficient_storage':
      // After files are deleted, another attempt can succeed.
      return { type: 'refused', failure: { reason: 'refused', message: error.message } };
    default:
      return error.status === 413 ? permanentFailure(TOO_LARGE) : ofRefusal(error);
  }
}

const TOO_LARGE = 'This file is too large. Try a smaller version.';

function ofRefusal(error: VitrineError): UploadProblem {
  const sentence = error.errors['file']?.join(' ') ?? '';
  const [, message] = REFUSALS.find(([pattern]) => pattern.test(sentence)) ?? [];
  if (message !== undefined) return permanentFailure(message);
  if (UNSUPPORTED.test(sentence)) return permanentFailure(sentence);
  return {
    type: 'refused',
    failure: { reason: 'refused', message: `The upload was refused: ${error.message}` },
  };
}

/** The upload service's error messages about `file`, and the messages for the visitor. */
const REFUSALS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /file of type/,
    'This is not a supported picture or video. Supported formats include JPEG, PNG, GIF, WebP, AVIF, HEIC, SVG, MP4, MOV and WebM.',
  ],
  [
    /readable/,
    'This file is damaged, or it isn’t what its name says. Try saving it again, then upload the new file.',
  ],
  [/greater than/, TOO_LARGE],
  [/megapixels/, 'This picture has more than 100 megapixels. Try a smaller version.'],
  [/empty/, 'This file is empty.'],
];

/** A sentence that names the variant of an accepted type. */
const UNSUPPORTED = / not supported\.$/;

const permanentFailure = (message: string): UploadProblem => ({
  type: 'refused',
  failure: { reason: 'permanent', message },
});

/** The failure of a file that was not sent because it doesn't fit. */
export const NO_SPACE: Failure = {
  reason: 'refused',
  message: 'Your account has no space left for this file. Delete some of your files to make room.',
};

/** The failure of a file that the browser can no longer read. */
export const UNREADABLE_FILE: Failure = {
  reason: 'permanent',
  message: 'This file was changed, moved or removed since you chose it. Choose it again.',
};
