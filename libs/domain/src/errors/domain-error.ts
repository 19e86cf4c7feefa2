/** Every way in which a use case says no; libs/http renders each as one HTTP answer. */
export type DomainErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'invalid_fields'
  | 'banned_hash'
  | 'request_in_progress'
  | 'answer_lost'
  | 'stale_revision'
  | 'too_many_requests'
  | 'unavailable';

/** A use case's refusal: the caller's fault or the moment's, never a bug. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';
  constructor(
    readonly code: DomainErrorCode,
    message: string = code,
  ) {
    super(message);
  }
}

/** No caller, or a token that is unknown, revoked or expired. */
export class UnauthenticatedError extends DomainError {
  constructor() {
    super('unauthenticated');
  }
}

/** The caller may see the thing and may not do this to it. */
export class ForbiddenError extends DomainError {
  constructor() {
    super('forbidden');
  }
}

/** There is no such thing, or the caller may not know that there is. */
export class NotFoundError extends DomainError {
  constructor() {
    super('not_found');
  }
}

/** Messages by field, each a whole sentence such as `The file field is required.` */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Fields of the request that can't be accepted. */
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

/** A request with the same idempotency key is under way; its answer may be there in `retryAfterSeconds`. */
export class RequestInProgressError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('request_in_progress');
  }
}

/** A request with the same idempotency key was carried out, and its process died before the answer was kept. */
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

/** A limit is reached until `retryAfterSeconds` (whole seconds) have passed. */
export class TooManyRequestsError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('too_many_requests');
  }
}

/** Something we depend on is away; the same request may work in `retryAfterSeconds`. */
export class UnavailableError extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('unavailable');
  }
}

/** The process has too much at work to do this as well. The answer says nothing of limits. */
export class LoadShedError extends UnavailableError {}
