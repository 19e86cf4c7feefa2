import { errorMessage, errorStack } from '../errors/error-message';

/** Control characters except line break and tab, line separators, and characters that change the text direction. */
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g;

/** An SQLSTATE, or a code of Node's such as ECONNREFUSED. */
const CODE = /^[A-Z0-9_]{1,40}$/;

/** Returns text that can't control a terminal: such characters become `\uXXXX`, which in JSON is the same character. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns printable text with all lines but the first indented, so that none looks like a separate log line. */
export function indented(text: string): string {
  return printable(text).replace(/\n(?! {4})/g, '\n    ');
}

/**
 * Returns a value as it may be logged: each error in it keeps only its name, message, stack and code (SQLSTATE), its
 * causes and its aggregated errors. Other properties are removed, because database drivers add the query, its parameters
 * and the rows.
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
  // Not enumerable, as on other errors: `inspect` and Nest's JSON logger print these themselves.
  const keep = (key: string, value: unknown): unknown => Object.defineProperty(bare, key, { value });
  keep('name', error.name);
  keep('stack', errorStack(error));
  if (error.cause !== undefined) keep('cause', loggable(error.cause, seen));
  if (Array.isArray(error.errors)) keep('errors', loggable(error.errors, seen));
  return typeof error.code === 'string' && CODE.test(error.code)
    ? Object.assign(bare, { code: error.code })
    : bare;
}
