import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import {
  BannedHashError,
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  RequestInProgressError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
} from '@vitrine/domain';
import { answerTo } from '../error-answer';
import type { ResponseHeader } from './response-headers';

/** How one error status is documented: once, in `components.responses`. */
export interface ErrorResponse {
  /** Its name among the components. */
  readonly name: string;
  readonly description: string;
  readonly schema: 'Error' | 'InvalidFields' | 'Banned';
  readonly example: unknown;
  /** Headers that it carries besides those of every response. */
  readonly headers: readonly string[];
  /** Headers that it carries at times. */
  readonly optionalHeaders?: readonly ResponseHeader[];
}

/** The example is the very answer that the error filter gives. */
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
  400: response('Unreadable', 'The request body can’t be read.', new BadRequestException()),
  401: response('Unauthenticated', 'There is no token, or a bad one.', new UnauthenticatedError()),
  403: response('Forbidden', 'The caller may not do this.', new ForbiddenError()),
  404: response('NotFound', 'No such thing, or none that the caller may see.', new NotFoundError()),
  408: response('Late', 'The request body did not come in time.', new RequestTimeoutException()),
  409: {
    ...response(
      'Conflict',
      'A request with the same idempotency key is still in progress, its answer was lost, or the post has changed since the revision that a ruling names.',
      new RequestInProgressError(2),
    ),
    headers: [],
    optionalHeaders: ['Retry-After'],
  },
  413: response('TooLarge', 'The request body is too large to be read.', new PayloadTooLargeException()),
  415: response(
    'UnknownEncoding',
    'The body’s encoding or charset isn’t known.',
    new UnsupportedMediaTypeException(),
  ),
  422: response(
    'InvalidFields',
    'Fields of the request can’t be accepted.',
    new InvalidFieldsError({ title: [title] }),
    'InvalidFields',
  ),
  429: response('TooManyRequests', 'A limit is reached.', new TooManyRequestsError(17)),
  451: response('Banned', 'The file matches a banned hash.', new BannedHashError(), 'Banned'),
  500: response('ServerError', 'Our fault; quote the request id.', new Error()),
  503: response(
    'Unavailable',
    'Something that the service needs is away; try again.',
    new UnavailableError(2),
  ),
};
