import type { HeaderObject, ReferenceObject } from '@nestjs/swagger';

const header = (type: 'integer' | 'string', description: string, example: unknown): HeaderObject => ({
  description,
  required: true,
  schema: { type },
  example,
});

/** Every header that a response may have besides HTTP's general ones; `components.headers` of the document. */
export const RESPONSE_HEADERS = {
  'X-RateLimit-Limit': header('integer', 'Number of requests allowed per minute.', 120),
  'X-RateLimit-Remaining': header('integer', 'Number of requests left in the current minute.', 119),
  'X-RateLimit-Reset': header(
    'integer',
    'Time at which the count starts again, in seconds since the Unix epoch.',
    1_798_761_600,
  ),
  'X-Request-Id': header(
    'string',
    'Identifies the request in the logs. Quote it when you report a problem.',
    '0b6c3c5e-5d1c-4b8f-9a55-0e6f6a2f7f11',
  ),
  'Retry-After': header('integer', 'Number of seconds to wait before the next attempt.', 17),
  'WWW-Authenticate': header('string', 'The authentication scheme that the server requires.', 'Bearer'),
  Location: {
    ...header('string', 'URL of the created resource.', 'http://localhost:3000/api/v1/posts/aB3dE5f'),
  },
  'Idempotent-Replayed': {
    ...header(
      'string',
      '`true` if this is a stored response of an earlier request with the same idempotency key.',
      'true',
    ),
    required: false,
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers of every response, with any status. */
const ALWAYS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'] as const;

/** A header that not every response has. */
export const optionalHeader = (name: ResponseHeader): HeaderObject => ({
  ...RESPONSE_HEADERS[name],
  required: false,
});

/**
 * Statuses with which a host may answer before it counts the request, when an address has used its share, or when it
 * sheds load.
 */
const UNCOUNTED: readonly number[] = [408, 429, 503];

/** The headers of every response with a status, and `further` ones. Headers that may be missing are written in full. */
export function headersWith(
  status: number,
  ...further: readonly string[]
): Record<string, HeaderObject | ReferenceObject> {
  const uncounted = UNCOUNTED.includes(status) ? ALWAYS : [];
  return {
    ...Object.fromEntries(
      [...ALWAYS, ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    ...Object.fromEntries(uncounted.map((name) => [name, optionalHeader(name)])),
  };
}
