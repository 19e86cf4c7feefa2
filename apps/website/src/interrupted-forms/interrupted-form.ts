import { VitrineError } from '@vitrine/client';
import { LogInRequiredError, StaleFormError } from '../visits/errors';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import type { Problem } from '../results/problem';

/** A form with the values that the visitor entered. */
export interface FilledForm {
  /** Path to which the form is sent. */
  readonly action: string;
  /** The number that makes the API execute it only once; undefined if it had none. */
  readonly number: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Fields whose values must not be written into a page; the visitor types them again. */
  readonly passwords: readonly string[];
}

/**
 * A form that was not executed for a temporary reason: there is no session or it has ended, the page is older than the
 * session, the API is unavailable, or a limit was reached.
 */
export interface InterruptedForm extends FilledForm {
  readonly problem: Problem;
  /** Whether the browser sent no cookies. */
  readonly hasNoCookies: boolean;
}

const RETRYABLE_STATUSES = new Set([401, 409, 429, 503]);
const PASSWORD = /password/i;
/** A token is shown only once, so the visitor can't type it again. */
const SHOWN_ONCE = /^token$/;

/** While a visitor logs in, the login form contains the fields of the waiting form under longer names. */
const HELD = {
  action: 'held_action',
  number: 'held_number',
  password: 'held_password',
  field: 'held.',
} as const;

/** The form of a request that failed; null if there was none, or if sending it again wouldn't help. */
export function interruptedForm(error: unknown, problem: Problem, visit: Visit): InterruptedForm | null {
  if (visit.request.method !== 'POST') return null;
  const isStale = error instanceof StaleFormError && error.reason === 'stale';
  const isPassing =
    RETRYABLE_STATUSES.has(problem.status) &&
    (error instanceof VitrineError || error instanceof LogInRequiredError);
  if (!isStale && !isPassing) return null;
  const form = heldForm(visit) ?? sentForm(visit);
  return form && { ...form, problem, hasNoCookies: visit.request.headers.cookie === undefined };
}

/** The form that was sent; null if it can't be shown again. */
function sentForm(visit: Visit): FilledForm | null {
  const sent = fieldsOf(visit);
  const fields = sent.filter(([name]) => !name.startsWith('_'));
  if (fields.some(([name]) => SHOWN_ONCE.test(name))) return null;
  return {
    action: visit.path,
    number: valueOf(sent, '_form'),
    fields: fields.filter(([name]) => !PASSWORD.test(name)),
    passwords: fields.flatMap(([name]) => (PASSWORD.test(name) ? [name] : [])),
  };
}

/** The waiting form within a login form; null if there is none. */
export function heldForm(visit: Visit): FilledForm | null {
  const sent = fieldsOf(visit);
  const action = valueOf(sent, HELD.action);
  if (action === undefined) return null;
  return {
    action: safePath(action),
    number: valueOf(sent, HELD.number),
    fields: sent.flatMap(([name, value]) =>
      name.startsWith(HELD.field) ? [[name.slice(HELD.field.length), value] as const] : [],
    ),
    passwords: sent.flatMap(([name, value]) => (name === HELD.password ? [value] : [])),
  };
}

/** The fields that carry a waiting form within the login form, where `heldForm` reads them. */
export const heldFields = (form: FilledForm): FilledForm['fields'] => [
  [HELD.action, form.action],
  ...(form.number === undefined ? [] : [[HELD.number, form.number] as const]),
  ...form.passwords.map((name) => [HELD.password, name] as const),
];

/** The name of a waiting form's field within the login form. */
export const heldFieldName = (name: string): string => HELD.field + name;

function fieldsOf(visit: Visit): FilledForm['fields'] {
  const body = (visit.request.body ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}

const valueOf = (fields: FilledForm['fields'], wanted: string): string | undefined =>
  fields.find(([name]) => name === wanted)?.[1];
