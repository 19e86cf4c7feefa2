import { HttpException } from '@nestjs/common';
import type { Scope } from '@vitrine/contracts';
import {
  AccountLimitedError,
  AnswerLostError,
  DomainError,
  type DomainErrorCode,
  type FieldErrors,
  ForbiddenError,
  InsufficientStorageError,
  InvalidFieldsError,
  NoMailError,
  NotAdmittedError,
  RequestInProgressError,
  FactorRequiredError,
  StaffFactorRequiredError,
  StaleRevisionError,
  TooManyRequestsError,
  UnavailableError,
} from '@vitrine/domain';
import { isDatabaseOutage, OutageError, sqlState } from '@vitrine/runtime';
import { isFileOutage } from '@vitrine/storage';
import { UnexpectedBodyError } from '../bodies/unexpected-body-error';

/** The answer to a client about an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS: Readonly<Record<DomainErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  invalid_fields: 422,
  banned_hash: 451,
  request_in_progress: 409,
  answer_lost: 409,
  stale_revision: 409,
  insufficient_storage: 507,
  too_many_requests: 429,
  unavailable: 503,
};

const MESSAGE: Readonly<Record<number, string>> = {
  400: 'The request body could not be read.',
  401: 'Unauthenticated.',
  403: 'This action is unauthorized.',
  404: 'Not found.',
  408: 'The request took too long.',
  409: 'A request with this idempotency key is still in progress.',
  413: 'The request body is too large.',
  415: 'The request body could not be read.',
  429: 'Too Many Attempts.',
  451: 'This file matches a banned hash and cannot be uploaded.',
  500: 'Server Error',
  503: 'Service unavailable, please retry.',
};

/** Conflicts have different messages. */
const ANSWER_LOST =
  'A request with this idempotency key was carried out, but its answer was lost. Check its result before you retry.';

const STALE_REVISION =
  'The post has changed since the revision that the ruling names. Read it again and rule on its new revision.';

const NO_MAIL = 'This site sends no mails.';
const NOT_ADMITTED: Readonly<Record<NotAdmittedError['because'], string>> = {
  closed: 'Registration is closed.',
  approval: 'New accounts need an invite, or an application that is accepted.',
  no_applications: 'This site accepts no applications.',
  no_passwords: 'This site has no passwords. Log in with a provider.',
};

const ACCOUNT_LIMITED = 'Your account is limited. It cannot comment on posts of others.';

const FACTOR_REQUIRED =
  'This site requires a second factor. Turn one on in the security settings of your account.';
const STAFF_FACTOR_REQUIRED =
  'This site requires a second factor of moderators and admins. Turn one on in the security settings of your account.';
const INSUFFICIENT_STORAGE: Readonly<Record<InsufficientStorageError['because'], string>> = {
  quota_bytes: 'Your account has no space left for this file. Delete some of your files to make room.',
  quota_files: 'Your account has as many files as it may have. Delete some of your files to make room.',
  storage_full: 'This server has no space left for uploads.',
};

/** Seconds after which a client may try again if the error does not tell. */
const RETRY_AFTER = 2;

/** The answer to any error. It contains only texts of the tables above and messages about fields. */
export function answerTo(error: unknown): ErrorAnswer {
  if (error instanceof InvalidFieldsError) return { status: 422, body: invalidFields(error.errors) };
  if (error instanceof AnswerLostError) return { status: 409, body: { message: ANSWER_LOST } };
  if (error instanceof StaleRevisionError) return { status: 409, body: { message: STALE_REVISION } };
  if (error instanceof NotAdmittedError) {
    return { status: 403, body: { message: NOT_ADMITTED[error.because] } };
  }
  if (error instanceof InsufficientStorageError) {
    return { status: 507, body: { message: INSUFFICIENT_STORAGE[error.because], code: error.because } };
  }
  if (error instanceof NoMailError) return { status: 403, body: { message: NO_MAIL } };
  if (error instanceof AccountLimitedError) return { status: 403, body: { message: ACCOUNT_LIMITED } };
  if (error instanceof FactorRequiredError) return { status: 403, body: { message: FACTOR_REQUIRED } };
  if (error instanceof StaffFactorRequiredError)
    return { status: 403, body: { message: STAFF_FACTOR_REQUIRED } };
  if (error instanceof ForbiddenError && error.missingScope) return insufficientScope(error.missingScope);
  if (error instanceof DomainError) {
    return answer(STATUS[error.code], retryAfter(error));
  }
  if (error instanceof HttpException) {
    if (error instanceof UnexpectedBodyError)
      return { status: error.getStatus(), body: { message: error.message } };
    // No route has a path that can't be decoded.
    if (error.cause instanceof URIError) return answer(404);
    const status = error.getStatus();
    return answer(status in MESSAGE ? status : status < 500 ? 400 : 500);
  }
  return isOutage(error) ? answer(503, RETRY_AFTER) : answer(500);
}

/** The answer for a path that exists with other methods. */
export const methodNotAllowed = (method: string, allowed: readonly string[], hint?: string): ErrorAnswer => ({
  status: 405,
  body: {
    message: [`The ${method} method is not supported for this route.`, hint].filter(Boolean).join(' '),
  },
  headers: { Allow: allowed.join(', ') },
});

function answer(status: number, retryAfterSeconds?: number): ErrorAnswer {
  const message = MESSAGE[status];
  return {
    status,
    body: status === 451 ? { error: message, message } : { message },
    headers: {
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    },
  };
}

/** RFC 6750, 3.1. */
const insufficientScope = (scope: Scope): ErrorAnswer => ({
  status: 403,
  body: { message: `${MESSAGE[403]} The token lacks the scope ${scope}.` },
  headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
});

function invalidFields(errors: FieldErrors): ErrorAnswer['body'] {
  const [first, ...others] = Object.values(errors).flat();
  const more = others.length;
  const tail = more === 0 ? '' : ` (and ${more} more error${more === 1 ? '' : 's'})`;
  return { message: `${first}${tail}`, errors };
}

function retryAfter(error: DomainError): number | undefined {
  return error instanceof TooManyRequestsError ||
    error instanceof RequestInProgressError ||
    error instanceof UnavailableError
    ? error.retryAfterSeconds
    : undefined;
}

/** PostgreSQL cancelled a statement or an idle transaction, or could not take a lock in time (its appendix A). */
const BUSY_STATES = new Set(['57014', '25P03', '55P03']);

/** Whether the cause is an unreachable, full or overloaded database, bus or storage, and not a bug. */
const isOutage = (error: unknown): boolean =>
  error instanceof OutageError ||
  isFileOutage(error) ||
  isDatabaseOutage(error) ||
  BUSY_STATES.has(sqlState(error) ?? '');
