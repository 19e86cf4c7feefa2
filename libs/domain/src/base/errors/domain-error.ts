import type { Scope } from '@vitrine/contracts';

/** The codes of the errors that a use case throws. libs/http renders each as one HTTP response. */
export type DomainErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'invalid_fields'
  | 'banned_hash'
  | 'request_in_progress'
  | 'answer_lost'
  | 'stale_revision'
  | 'insufficient_storage'
  | 'too_many_requests'
  | 'unavailable';

/** An error of a use case that the caller or the current state caused; never a bug. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';
  constructor(
    readonly code: DomainErrorCode,
    message: string = code,
  ) {
    super(message);
  }
}

/** There is no caller, or the token is unknown, revoked or expired. */
export class UnauthenticatedError extends DomainError {
  constructor() {
    super('unauthenticated');
  }
}

/** The caller may see the item but may not do this to it. */
export class ForbiddenError extends DomainError {
  /** `missingScope`: the scope that would allow an API token to do it. */
  constructor(readonly missingScope?: Scope) {
    super('forbidden');
  }
}

/**
 * The site doesn't let people in this way: registration is `closed`, needs an `approval`, `no_applications` are
 * accepted, or there are `no_passwords`.
 */
export class NotAdmittedError extends DomainError {
  constructor(readonly because: 'closed' | 'approval' | 'no_applications' | 'no_passwords') {
    super('forbidden');
  }
}

/** The site sends no mails. */
export class NoMailError extends DomainError {
  constructor() {
    super('forbidden');
  }
}

/** The caller's account is limited: it can't comment on other people's posts. */
export class AccountLimitedError extends DomainError {
  constructor() {
    super('forbidden');
  }
}

/** The caller is staff without a second factor, and the site requires one of staff. */
export class StaffFactorRequiredError extends DomainError {
  constructor() {
    super('forbidden');
  }
}

/** The caller's account has no second factor, and the site requires one of every account. */
export class FactorRequiredError extends DomainError {
  constructor() {
    super('forbidden');
  }
}

/** The item doesn't exist, or the caller may not know that it exists. */
export class NotFoundError extends DomainError {
  constructor() {
    super('not_found');
  }
}

/** Messages by field, each a whole sentence such as `The file field is required.` */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The request has invalid fields. */
export class InvalidFieldsError extends DomainError {
  constructor(readonly errors: FieldErrors) {
    super('invalid_fields');
  }
}

/** The uploaded bytes are banned. */
export class BannedHashError extends DomainError {
  constructor() {
    super('banned_hash');
  }
}

/** A request with the same idempotency key is in progress. Its response may be available in `retryAfterSeconds`. */
export class RequestInProgressError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('request_in_progress');
  }
}

/** A request with the same idempotency key was carried out, but its process died before the response was stored. */
export class AnswerLostError extends DomainError {
  constructor() {
    super('answer_lost');
  }
}

/** A moderator rules on a revision of a post that isn't the current one. */
export class StaleRevisionError extends DomainError {
  constructor() {
    super('stale_revision');
  }
}

/**
 * A file doesn't fit: the account has no bytes or no files left (`quota_bytes`, `quota_files`), or the server has no
 * room (`storage_full`).
 */
export class InsufficientStorageError extends DomainError {
  constructor(readonly because: 'quota_bytes' | 'quota_files' | 'storage_full') {
    super('insufficient_storage');
  }
}

/** A limit is reached until `retryAfterSeconds` (whole seconds) have passed. */
export class TooManyRequestsError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('too_many_requests');
  }

  /** The error for a limit that allows requests again in `ms` milliseconds. Clients wait for whole seconds. */
  static untilReset(ms: number): TooManyRequestsError {
    return new TooManyRequestsError(Math.max(1, Math.ceil(ms / 1000)));
  }
}

/** The request can't be served now; the same request may succeed in `retryAfterSeconds`. */
export class UnavailableError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('unavailable');
  }
}

/** The process is overloaded. The response has no headers of rate limits. */
export class LoadShedError extends UnavailableError {}
