import { HttpException } from '@nestjs/common';
import { UnaddressableError, VitrineError } from '@vitrine/client';
import { LogInFirst } from '../visits/log-in-first';
import { StaleForm } from '../visits/stale-form';

/** What went wrong, as far as a visitor is told. */
export interface Trouble {
  readonly status: number;
  readonly code: string;
  /** A sentence for the visitor. */
  readonly message: string;
  /** By field of the form. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds until it is worth trying again. */
  readonly retryAfter?: number | undefined;
  /** To quote when asking for help. */
  readonly requestId: string;
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** Tells a visitor's trouble of any error. */
export function troubleOf(error: unknown, requestId: string): Trouble {
  const trouble = (status: number, code: string, message: string, more: Partial<Trouble> = {}): Trouble => ({
    status,
    code,
    message,
    errors: {},
    requestId,
    ...more,
  });
  if (error instanceof LogInFirst) return trouble(401, 'unauthenticated', error.message);
  if (error instanceof StaleForm) {
    return trouble(403, error.reason === 'stale' ? 'stale_form' : 'forbidden', error.message);
  }
  if (error instanceof UnaddressableError) return trouble(404, 'not_found', 'There is nothing here.');
  if (error instanceof HttpException) return ofHttp(error, trouble);
  if (!(error instanceof VitrineError)) return trouble(500, 'server_error', 'Something went wrong.');
  switch (error.code) {
    case 'unauthenticated':
      return trouble(401, error.code, 'Please log in first.');
    case 'forbidden':
      return trouble(403, error.code, 'You may not do that.');
    case 'not_found':
      return trouble(404, error.code, 'There is nothing here.');
    case 'rate_limited':
      return trouble(429, error.code, 'That was a bit fast.', { retryAfter: error.retryAfter ?? 60 });
    case 'network':
    case 'unavailable':
      return trouble(503, 'unavailable', 'The service is away for a moment.', {
        retryAfter: error.retryAfter ?? UNAVAILABLE_RETRY_SECONDS,
      });
    case 'invalid':
    case 'banned':
    case 'bad_request':
    case 'conflict':
      return trouble(error.status ?? 422, error.code, error.message, { errors: error.errors });
    default:
      return trouble(500, 'server_error', 'Something went wrong.', {
        ...(error.requestId !== undefined && { requestId: error.requestId }),
      });
  }
}

type MakeTrouble = (status: number, code: string, message: string) => Trouble;

function ofHttp(error: HttpException, trouble: MakeTrouble): Trouble {
  const status = error.getStatus();
  if (status === 404) return trouble(404, 'not_found', 'There is nothing here.');
  if (status === 403) return trouble(403, 'forbidden', 'You may not do that.');
  if (status === 413) return trouble(413, 'too_large', 'That is more than a form can take.');
  if (status < 500) return trouble(status, 'bad_request', 'This request could not be read.');
  return trouble(500, 'server_error', 'Something went wrong.');
}
