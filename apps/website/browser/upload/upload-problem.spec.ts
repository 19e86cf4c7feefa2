import { VitrineError, type VitrineErrorCode } from '@vitrine/client';
import { uploadProblemOf } from './upload-problem';

const error = (
  code: VitrineErrorCode,
  more: { status?: number; retryAfter?: number; file?: string } = {},
): VitrineError =>
  new VitrineError({
    code,
    message: more.file ?? 'Whatever.',
    status: more.status,
    retryAfter: more.retryAfter,
    errors: more.file === undefined ? {} : { file: [more.file] },
  });

describe('uploadProblemOf', () => {
  it.each(['network', 'unavailable', 'server_error', 'unexpected_answer', 'conflict'] as const)(
    'treats %s as a temporary failure',
    (code) => {
      expect(uploadProblemOf(error(code))).toEqual({ type: 'retryable', afterMs: 0 });
      expect(uploadProblemOf(error(code, { retryAfter: 5 }))).toEqual({ type: 'retryable', afterMs: 5000 });
    },
  );

  it('returns a rate limit with its duration, or a default duration', () => {
    expect(uploadProblemOf(error('rate_limited', { retryAfter: 60 }))).toEqual({
      type: 'limited',
      afterMs: 60_000,
    });
    expect(uploadProblemOf(error('rate_limited'))).toEqual({ type: 'limited', afterMs: 30_000 });
  });

  it('requests a new ticket if the ticket has expired', () => {
    expect(uploadProblemOf(error('unauthenticated', { status: 401 }))).toEqual({ type: 'ticketExpired' });
  });

  // The sentences of apps/upload-service/src/receiving/upload-errors.ts.
  it.each([
    ['The file field must be a file of type: image/*, video/*.', /not a supported picture or video/],
    ['The file field must be a readable image or video.', /damaged/],
    ['The file field must not be greater than 102400 kilobytes.', /too large/],
    [
      'The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.',
      /pixels/,
    ],
    ['The file field must not be empty.', /empty/],
    ['Lossless JPEG is not supported.', /^Lossless JPEG is not supported\.$/],
  ])('translates “%s” into a message for users and a permanent failure', (sentence, words) => {
    const problem = uploadProblemOf(error('invalid', { status: 422, file: sentence }));
    expect(problem).toMatchObject({ type: 'refused', failure: { reason: 'permanent' } });
    expect(problem).toMatchObject({ failure: { message: expect.stringMatching(words) } });
  });

  it('recognises bans and a proxy’s 413, and passes on unknown messages', () => {
    expect(uploadProblemOf(error('banned', { status: 451 }))).toMatchObject({
      failure: { reason: 'permanent', message: expect.stringMatching(/banned/) },
    });
    expect(uploadProblemOf(error('insufficient_storage', { status: 507 }))).toMatchObject({
      type: 'refused',
      failure: { reason: 'refused' },
    });
    expect(uploadProblemOf(error('bad_request', { status: 413 }))).toMatchObject({
      failure: { reason: 'permanent', message: expect.stringMatching(/too large/) },
    });
    expect(uploadProblemOf(error('invalid', { status: 422, file: 'Something new.' }))).toMatchObject({
      failure: { reason: 'refused', message: 'The upload was refused: Something new.' },
    });
  });

  it('rethrows errors that are not from the API client', () => {
    const bug = new TypeError('a bug');
    expect(() => uploadProblemOf(bug)).toThrow(bug);
  });
});
