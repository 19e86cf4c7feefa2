import { VitrineError, type VitrineErrorCode } from '@vitrine/client';
import { troubleOf } from './trouble';

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

describe('troubleOf', () => {
  it.each(['network', 'unavailable', 'server_error', 'unexpected_answer', 'conflict'] as const)(
    'takes %s for something that passes',
    (code) => {
      expect(troubleOf(error(code))).toEqual({ type: 'stumbled', afterMs: 0 });
      expect(troubleOf(error(code, { retryAfter: 5 }))).toEqual({ type: 'stumbled', afterMs: 5000 });
    },
  );

  it('holds everything at a limit, also where nobody says for how long', () => {
    expect(troubleOf(error('rate_limited', { retryAfter: 60 }))).toEqual({
      type: 'limited',
      afterMs: 60_000,
    });
    expect(troubleOf(error('rate_limited'))).toEqual({ type: 'limited', afterMs: 30_000 });
  });

  it('wants a new ticket for one that is over', () => {
    expect(troubleOf(error('unauthenticated', { status: 401 }))).toEqual({ type: 'unticketed' });
  });

  // The sentences of apps/upload-service/src/intake/upload-errors.ts.
  it.each([
    ['The file field must be a file of type: image/*, video/*.', /no picture or video that we know/],
    ['The file field must be a readable image or video.', /damaged/],
    ['The file field must not be greater than 102400 kilobytes.', /larger than we take/],
    [
      'The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.',
      /pixels/,
    ],
    ['The file field must not be empty.', /empty/],
  ])('says “%s” in friendlier words, and that it is final', (sentence, words) => {
    const trouble = troubleOf(error('invalid', { status: 422, file: sentence }));
    expect(trouble).toMatchObject({ type: 'refused', failure: { reason: 'hopeless' } });
    expect(trouble).toMatchObject({ failure: { message: expect.stringMatching(words) } });
  });

  it('tells a ban, what a proxy cuts off, and hands on what it doesn’t know', () => {
    expect(troubleOf(error('banned', { status: 451 }))).toMatchObject({
      failure: { reason: 'hopeless', message: expect.stringMatching(/banned/) },
    });
    expect(troubleOf(error('bad_request', { status: 413 }))).toMatchObject({
      failure: { reason: 'hopeless', message: expect.stringMatching(/larger/) },
    });
    expect(troubleOf(error('invalid', { status: 422, file: 'Something new.' }))).toMatchObject({
      failure: { reason: 'refused', message: 'It was refused: Something new.' },
    });
  });

  it('throws what is no answer at all', () => {
    const bug = new TypeError('a bug');
    expect(() => troubleOf(bug)).toThrow(bug);
  });
});
