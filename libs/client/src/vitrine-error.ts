/** What went wrong, in one word; `status` says the same in numbers where there was an answer. */
export type VitrineErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'rate_limited'
  | 'banned'
  | 'unavailable'
  | 'server_error'
  | 'unexpected_answer'
  | 'network'
  | 'processing_failed';

const CODES: Readonly<Record<number, VitrineErrorCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limited',
  451: 'banned',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

export interface VitrineErrorDetails {
  readonly code: VitrineErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A request that came to nothing. An aborted one rejects with the reason of its signal instead. */
export class VitrineError extends Error {
  override readonly name = 'VitrineError';
  readonly code: VitrineErrorCode;
  /** HTTP status; undefined where there was no whole answer. */
  readonly status: number | undefined;
  /** The fields that were refused, by name, with a sentence or more each; empty unless `code` is `invalid`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** To quote when asking the operator. */
  readonly requestId: string | undefined;
  /** Seconds until the request may be made again, where the service has said so. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, status, errors, requestId, retryAfter, cause }: VitrineErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.errors = errors ?? {};
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** A slug, an id or a name that no address can hold: empty, `.` or `..`. Nothing was asked. */
export class UnaddressableError extends TypeError {
  override readonly name = 'UnaddressableError';
}

/** An answer as it came: from fetch, or from XMLHttpRequest. */
export interface Answer {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

/** The error that an answer of status 300 or above stands for. */
export function errorOf(answer: Answer): VitrineError {
  const body = readObject(answer.text);
  const message = [body['message'], body['error']].find((text) => typeof text === 'string' && text !== '');
  return new VitrineError({
    code: CODES[answer.status] ?? codeOfClass(answer.status),
    message: typeof message === 'string' ? message : `The service answered ${answer.status}.`,
    status: answer.status,
    errors: readFieldErrors(body['errors']),
    requestId: answer.header('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(answer.header('Retry-After')),
  });
}

/** The body of a good answer. Throws `unexpected_answer` where it isn't JSON: some proxy's page, say. */
export function bodyOf(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text) as unknown;
  } catch (cause) {
    throw new VitrineError({
      code: 'unexpected_answer',
      message: 'The answer is not JSON; is this the address of a Vitrine API?',
      status: answer.status,
      requestId: answer.header('X-Request-Id') ?? undefined,
      cause,
    });
  }
}

/** Seconds, of either form that RFC 9110 (10.2.3) has; undefined where it says nothing that can be understood. */
export function readRetryAfter(text: string | null, now: number = Date.now()): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

function codeOfClass(status: number): VitrineErrorCode {
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'bad_request' : 'unexpected_answer';
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readFieldErrors(value: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(value).filter((entry): entry is [string, string[]] =>
    Array.isArray(entry[1]),
  );
  return Object.fromEntries(fields);
}
