import {
  BadRequestException,
  HttpException,
  ImATeapotException,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import {
  AnswerLostError,
  BannedHashError,
  ForbiddenError,
  InsufficientStorageError,
  InvalidFieldsError,
  NotFoundError,
  RequestInProgressError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
} from '@vitrine/domain';
import { OutageError } from '@vitrine/runtime';
import { StorageUnavailableError } from '@vitrine/storage';
import { answerTo } from './error-answer';

const failing = (fields: object, message = 'secret /path select * from users'): Error =>
  Object.assign(new Error(message), fields);

describe('answers to errors', () => {
  // Promise [requests]: Every error is JSON with a fixed `message` and the status and headers of its kind.
  it('have the status, message and headers of their kind', () => {
    expect(answerTo(new UnauthenticatedError())).toEqual({
      status: 401,
      body: { message: 'Unauthenticated.' },
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect(answerTo(new ForbiddenError())).toMatchObject({
      status: 403,
      body: { message: 'This action is unauthorized.' },
    });
    expect(answerTo(new NotFoundError())).toMatchObject({ status: 404, body: { message: 'Not found.' } });
    expect(answerTo(new TooManyRequestsError(17))).toEqual({
      status: 429,
      body: { message: 'Too Many Attempts.' },
      headers: { 'Retry-After': '17' },
    });
    expect(answerTo(new UnavailableError(3))).toEqual({
      status: 503,
      body: { message: 'Service unavailable, please retry.' },
      headers: { 'Retry-After': '3' },
    });
    expect(answerTo(new RequestInProgressError(1))).toEqual({
      status: 409,
      body: { message: 'A request with this idempotency key is still in progress.' },
      headers: { 'Retry-After': '1' },
    });
    expect(answerTo(new AnswerLostError())).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('its answer was lost') },
    });
    for (const because of ['quota_bytes', 'quota_files', 'storage_full'] as const) {
      expect(answerTo(new InsufficientStorageError(because))).toEqual({
        status: 507,
        body: { message: expect.stringMatching(/no space left|as many files/), code: because },
      });
    }
    const banned = 'This file matches a banned hash and cannot be uploaded.';
    expect(answerTo(new BannedHashError())).toMatchObject({
      status: 451,
      body: { error: banned, message: banned },
    });
  });

  it('name the scope that an API token lacks', () => {
    expect(answerTo(new ForbiddenError('write'))).toEqual({
      status: 403,
      body: { message: 'This action is unauthorized. The token lacks the scope write.' },
      headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write"' },
    });
  });

  // Promise [requests]: A 422 has the first error in `message` and a list of texts for each invalid field in
  // `errors`.
  it('count the errors beyond the first field', () => {
    const messageOf = (errors: Record<string, string[]>) =>
      answerTo(new InvalidFieldsError(errors)).body['message'];
    expect(messageOf({ a: ['One.'] })).toBe('One.');
    expect(messageOf({ a: ['One.'], b: ['Two.'] })).toBe('One. (and 1 more error)');
    expect(messageOf({ a: ['One.', 'Two.'], b: ['Three.'] })).toBe('One. (and 2 more errors)');
  });

  it('translate the framework’s own errors', () => {
    expect(answerTo(new NotFoundException('Cannot GET /secret'))).toMatchObject({
      status: 404,
      body: { message: 'Not found.' },
    });
    expect(answerTo(new BadRequestException('Unexpected token'))).toMatchObject({ status: 400 });
    expect(answerTo(new BadRequestException('x', { cause: new URIError() }))).toMatchObject({ status: 404 });
    expect(answerTo(new PayloadTooLargeException())).toMatchObject({ status: 413 });
    expect(answerTo(new ImATeapotException())).toMatchObject({ status: 400 });
    expect(answerTo(new HttpException('x', 507))).toMatchObject({ status: 500 });
  });

  // Promise [requests]: A bug gives 500, an outage 503.
  it('distinguish an outage (503) from a bug (500)', () => {
    const outages = [
      failing({ code: 'ECONNREFUSED', syscall: 'connect' }),
      failing({ code: 'ENOENT', syscall: 'connect' }),
      failing({ driverError: { code: '57P01' } }),
      failing({ driverError: { code: '53300' } }),
      failing({ code: '08006' }),
      failing({ code: '25P03' }),
      new OutageError('The broker does not answer'),
      failing({}, 'Connection terminated unexpectedly'),
      failing({}, 'timeout exceeded when trying to connect'),
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      new StorageUnavailableError('S3 does not answer to look: ECONNRESET'),
      failing({ code: 'ENOSPC', syscall: 'write' }),
      failing({ code: 'EDQUOT', syscall: 'write' }),
      failing({ code: 'EIO', syscall: 'read' }),
    ];
    for (const error of outages) {
      expect(answerTo(error)).toEqual({
        status: 503,
        body: { message: 'Service unavailable, please retry.' },
        headers: { 'Retry-After': '2' },
      });
    }
    const bugs = [
      failing({}),
      failing({ code: 'ENOENT', syscall: 'open' }),
      failing({ code: '23505' }),
      failing({ code: '42P01' }),
      'text',
      null,
    ];
    for (const error of bugs)
      expect(answerTo(error)).toMatchObject({ status: 500, body: { message: 'Server Error' } });
  });
});
