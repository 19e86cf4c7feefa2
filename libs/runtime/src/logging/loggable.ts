import { errorMessage, errorStack } from './error-message';

/** All control characters but line break and tab; line separators; and those that turn the direction of writing. */
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g;

/** SQLSTATE, or a code of Node's such as ECONNREFUSED. */
const CODE = /^[A-Z0-9_]{1,40}$/;

/** Text that can't drive a terminal: what would, is shown as `\uXXXX`, which in JSON means the same character. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Printable text of which no line but the first begins at the margin, so that none passes for a line of its own. */
export function indented(text: string): string {
  return printable(text).replace(/\n(?! {4})/g, '\n    ');
}

/**
 * A value as it may be logged: each error in it keeps its name, message, stack and code (SQLSTATE), its causes and
 * the errors that it sums up. Whatever else hangs on it stays out: database drivers add the query, its parameters
 * and the rows in question.
 */
export function loggable(value: unknown, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (value instanceof Error) return bareError(value, seen);
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    seen.set(value, copy);
    for (const one of value) copy.push(loggable(one, seen));
    return copy;
  }
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, loggable(one, seen)]));
  if (value instanceof Set) return new Set([...value].map((one) => loggable(one, seen)));
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  const copy: Record<string, unknown> = {};
  seen.set(value, copy);
  for (const [key, one] of Object.entries(value)) copy[key] = loggable(one, seen);
  return copy;
}

function bareError(error: Error & { code?: unknown; errors?: unknown }, seen: Map<unknown, unknown>): Error {
  const bare = new Error(errorMessage(error));
  seen.set(error, bare);
  // Not enumerable, as on errors by nature: `inspect` and Nest's JSON know where these belong.
  const keep = (key: string, value: unknown): unknown => Object.defineProperty(bare, key, { value });
  keep('name', error.name);
  keep('stack', errorStack(error));
  if (error.cause !== undefined) keep('cause', loggable(error.cause, seen));
  if (Array.isArray(error.errors)) keep('errors', loggable(error.errors, seen));
  return typeof error.code === 'string' && CODE.test(error.code)
    ? Object.assign(bare, { code: error.code })
    : bare;
}
