import { VitrineError } from '@vitrine/client';
import { LogInFirst } from '../visits/log-in-first';
import { safePath } from '../visits/safe-path';
import { StaleForm } from '../visits/stale-form';
import type { Visit } from '../visits/visit';
import type { Trouble } from './trouble';

/** A form with what was typed in it. */
export interface FilledForm {
  /** Path that it is sent to. */
  readonly action: string;
  /** The number by which it is carried out once; undefined where it had none. */
  readonly number: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Fields whose content must not be written into a page: they are typed anew. */
  readonly passwords: readonly string[];
}

/**
 * A form that wasn't carried out, for a reason that passes: the session has ended or there is none, the page is older
 * than the session, the API is away, a limit is reached.
 */
export interface InterruptedForm extends FilledForm {
  readonly trouble: Trouble;
  /** Whether the browser brought none of the site's cookies. */
  readonly isNameless: boolean;
}

const PASSING = new Set([401, 409, 429, 503]);
const PASSWORD = /password/i;
/** Shown once; nobody can type it anew. */
const SHOWN_ONCE = /^token$/;

/** While a visitor logs in, the form that waits for it is part of the login's, its fields under longer names. */
const HELD = {
  action: 'held_action',
  number: 'held_number',
  password: 'held_password',
  field: 'held.',
} as const;

/** The form behind an error; null where there was none, or where sending it again is of no use. */
export function interruptedForm(error: unknown, trouble: Trouble, visit: Visit): InterruptedForm | null {
  if (visit.request.method !== 'POST') return null;
  const isStale = error instanceof StaleForm && error.reason === 'stale';
  const isPassing =
    PASSING.has(trouble.status) && (error instanceof VitrineError || error instanceof LogInFirst);
  if (!isStale && !isPassing) return null;
  const form = heldForm(visit) ?? sentForm(visit);
  return form && { ...form, trouble, isNameless: visit.request.headers.cookie === undefined };
}

/** The form that was sent; null where it can't be shown again. */
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

/** The form that waits within the login that was sent; null where none does. */
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

/** The fields of a form as parts of the login's; `heldForm` reads them there. */
export const holding = (form: FilledForm): FilledForm['fields'] => [
  [HELD.action, form.action],
  ...(form.number === undefined ? [] : [[HELD.number, form.number] as const]),
  ...form.passwords.map((name) => [HELD.password, name] as const),
];

/** Under which name a field of a waiting form is part of the login's. */
export const heldName = (name: string): string => HELD.field + name;

function fieldsOf(visit: Visit): FilledForm['fields'] {
  const body = (visit.request.body ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}

const valueOf = (fields: FilledForm['fields'], wanted: string): string | undefined =>
  fields.find(([name]) => name === wanted)?.[1];
