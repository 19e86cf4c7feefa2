/** Kind of an error. If there was a response, `status` holds its HTTP status. */
export type VitrineErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'rate_limited'
  | 'banned'
  | 'insufficient_storage'
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
  507: 'insufficient_storage',
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

/** A request that failed. An aborted request rejects with the reason of its signal instead. */
export class VitrineError extends Error {
  override readonly name = 'VitrineError';
  readonly code: VitrineErrorCode;
  /** HTTP status; undefined if there was no complete response. */
  readonly status: number | undefined;
  /** Error messages by field name; empty unless `code` is `invalid`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Id of the request in the server's logs; quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds after which the request may be repeated, if the response named them. */
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

/** A slug, id or name that a URL cannot contain: empty, `.` or `..`. No request was sent. */
export class UnaddressableError extends TypeError {
  override readonly name = 'UnaddressableError';
}

/** A response of fetch or XMLHttpRequest. */
export interface Answer {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

/** Returns the error for a response with status 300 or above. */
export function errorOf(answer: Answer): VitrineError {
  const body = readObject(answer.text);
  const message = [body['message'], body['error']].find((text) => typeof text === 'string' && text !== '');
  return new VitrineError({
    code: CODES[answer.status] ?? codeOfClass(answer.status),
    message: typeof message === 'string' ? message : `The service responded with status ${answer.status}.`,
    status: answer.status,
    errors: readFieldErrors(body['errors']),
    requestId: answer.header('X-Request-Id') ?? undefined,
    retryAfter: readRetryAfter(answer.header('Retry-After')),
  });
}

/** Returns the body of a successful response. Throws `unexpected_answer` if it is not JSON, such as the page of a proxy. */
export function bodyOf(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text) as unknown;
  } catch (cause) {
    throw new VitrineError({
      code: 'unexpected_answer',
      message: 'The response is not JSON. Is baseUrl the address of a Vitrine API?',
      status: answer.status,
      requestId: answer.header('X-Request-Id') ?? undefined,
      cause,
    });
  }
}

/** Reads both forms of `Retry-After` (RFC 9110, 10.2.3) as seconds; undefined if the value is neither. */
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
