import type { HeaderObject, ReferenceObject } from '@nestjs/swagger';

const header = (type: 'integer' | 'string', description: string, example: unknown): HeaderObject => ({
  description,
  required: true,
  schema: { type },
  example,
});

/** Every header that a response may carry beyond HTTP's own; `components.headers` of the document. */
export const RESPONSE_HEADERS = {
  'X-RateLimit-Limit': header('integer', 'Requests allowed a minute.', 120),
  'X-RateLimit-Remaining': header('integer', 'Requests left in the minute that runs.', 119),
  'X-RateLimit-Reset': header('integer', 'When the count begins anew, in epoch seconds.', 1_798_761_600),
  'X-Request-Id': header(
    'string',
    'Names the request in the logs: quote it.',
    '0b6c3c5e-5d1c-4b8f-9a55-0e6f6a2f7f11',
  ),
  'Retry-After': header('integer', 'Whole seconds after which to try again.', 17),
  'WWW-Authenticate': header('string', 'The scheme that is asked for.', 'Bearer'),
  Location: { ...header('string', 'Where the new thing is.', 'http://localhost:3000/api/v1/posts/aB3dE5f') },
  'Idempotent-Replayed': {
    ...header('string', '`true` where a stored response is given again.', 'true'),
    required: false,
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers of every response, of whatever status. */
const ALWAYS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'] as const;

/** A header that some of the responses lack. */
export const optionalHeader = (name: ResponseHeader): HeaderObject => ({
  ...RESPONSE_HEADERS[name],
  required: false,
});

/**
 * Statuses with which a host may answer before it counts the request, when an address has used its share, or when it
 * sheds load.
 */
const UNCOUNTED: readonly number[] = [408, 429, 503];

/** The headers of every response of a status, and further ones: references except for those that may be missing. */
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
