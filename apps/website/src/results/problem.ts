import { HttpException } from '@nestjs/common';
import { UnaddressableError, VitrineError } from '@vitrine/client';
import { LogInRequiredError, StaleFormError } from '../visits/errors';

/** What a visitor is told about an error. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  /** A sentence for the visitor. */
  readonly message: string;
  /** By field of the form. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds until another attempt may succeed. */
  readonly retryAfter?: number | undefined;
  /** Id of the request, to quote in a report to the operator. */
  readonly requestId: string;
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Converts any error into the problem that the visitor is told. */
export function problemOf(error: unknown, requestId: string): Problem {
  const problem = (status: number, code: string, message: string, more: Partial<Problem> = {}): Problem => ({
    status,
    code,
    message,
    errors: {},
    requestId,
    ...more,
  });
  if (error instanceof LogInRequiredError) return problem(401, 'unauthenticated', error.message);
  if (error instanceof StaleFormError) {
    return problem(403, error.reason === 'stale' ? 'stale_form' : 'forbidden', error.message);
  }
  if (error instanceof UnaddressableError) return problem(404, 'not_found', 'This page does not exist.');
  if (error instanceof HttpException) return ofHttp(error, problem);
  if (!(error instanceof VitrineError)) return problem(500, 'server_error', 'Something went wrong.');
  switch (error.code) {
    case 'unauthenticated':
      return problem(401, error.code, 'Please log in first.');
    case 'forbidden':
      return problem(403, error.code, 'You don’t have permission to do that.');
    case 'not_found':
      return problem(404, error.code, 'This page does not exist.');
    case 'rate_limited':
      return problem(429, error.code, 'Too many requests.', { retryAfter: error.retryAfter ?? 60 });
    case 'network':
    case 'unavailable':
      return problem(503, 'unavailable', 'The service is temporarily unavailable.', {
        retryAfter: error.retryAfter ?? UNAVAILABLE_RETRY_SECONDS,
      });
    case 'invalid':
    case 'banned':
    case 'bad_request':
    case 'conflict':
      return problem(error.status ?? 422, error.code, error.message, { errors: error.errors });
    default:
      return problem(500, 'server_error', 'Something went wrong.', {
        ...(error.requestId !== undefined && { requestId: error.requestId }),
      });
  }
}

type MakeProblem = (status: number, code: string, message: string) => Problem;

function ofHttp(error: HttpException, problem: MakeProblem): Problem {
  const status = error.getStatus();
  if (status === 404) return problem(404, 'not_found', 'This page does not exist.');
  if (status === 403) return problem(403, 'forbidden', 'You don’t have permission to do that.');
  if (status === 413) return problem(413, 'too_large', 'This form is too large.');
  if (status < 500) return problem(status, 'bad_request', 'This request could not be read.');
  return problem(500, 'server_error', 'Something went wrong.');
}
