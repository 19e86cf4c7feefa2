import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import {
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
import { answerTo } from '@vitrine/http';
import type { ResponseHeader } from './response-headers';

/** The documentation of one error status, which `components.responses` contains once. */
export interface ErrorResponse {
  /** The name of the component. */
  readonly name: string;
  readonly description: string;
  readonly schema: 'Error' | 'InvalidFields' | 'Banned' | 'InsufficientStorage';
  readonly example: unknown;
  /** Headers besides those of every response. */
  readonly headers: readonly string[];
  /** Headers that some of the responses have. */
  readonly optionalHeaders?: readonly ResponseHeader[];
}

/** The example is the answer that the error filter gives. */
const response = (
  name: string,
  description: string,
  error: Error,
  schema: ErrorResponse['schema'] = 'Error',
): ErrorResponse => {
  const { body, headers = {} } = answerTo(error);
  return { name, description, schema, example: body, headers: Object.keys(headers) };
};

const title = 'The title field must be a string.';

/** Every error status of the API. */
export const ERROR_RESPONSES: Readonly<Record<number, ErrorResponse>> = {
  400: response('Unreadable', 'The request body cannot be read.', new BadRequestException()),
  401: response('Unauthenticated', 'The token is missing or invalid.', new UnauthenticatedError()),
  403: {
    ...response(
      'Forbidden',
      'The caller may not do this. If an API token lacks a scope, `WWW-Authenticate` names it.',
      new ForbiddenError(),
    ),
    optionalHeaders: ['WWW-Authenticate'],
  },
  404: response('NotFound', 'The item does not exist, or the caller may not see it.', new NotFoundError()),
  408: response('Late', 'The request body did not arrive in time.', new RequestTimeoutException()),
  409: {
    ...response(
      'Conflict',
      'A request with the same idempotency key is still in progress, its response was lost, or the post has changed since the revision that the ruling names.',
      new RequestInProgressError(2),
    ),
    headers: [],
    optionalHeaders: ['Retry-After'],
  },
  413: response('TooLarge', 'The request body is too large.', new PayloadTooLargeException()),
  415: response(
    'UnknownEncoding',
    'The encoding or charset of the request body is not supported.',
    new UnsupportedMediaTypeException(),
  ),
  422: response(
    'InvalidFields',
    'One or more fields of the request are invalid.',
    new InvalidFieldsError({ title: [title] }),
    'InvalidFields',
  ),
  429: response('TooManyRequests', 'A rate limit or quota is exceeded.', new TooManyRequestsError(17)),
  451: response('Banned', 'The file matches a banned hash.', new BannedHashError(), 'Banned'),
  500: response('ServerError', 'Internal error. Quote the request id when you report it.', new Error()),
  503: response(
    'Unavailable',
    'A dependency of the service is unavailable, or the service is overloaded. Try again later.',
    new UnavailableError(2),
  ),
  507: response(
    'InsufficientStorage',
    'The file does not fit: a quota is used up, or the server has no space left.',
    new InsufficientStorageError('quota_bytes'),
    'InsufficientStorage',
  ),
};
