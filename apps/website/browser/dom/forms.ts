import { notify } from './notices';

/** What the site answers to a form that a script sends (rendering/page.ts, `Outcome`). */
export interface FormAnswer {
  readonly notice?: string;
  /** Where the visitor would go on without scripts. */
  readonly location: string;
  /** A piece of the page. */
  readonly html?: string;
  readonly [fact: string]: unknown;
}

/** A form that was not carried out. `status` 0: there was no answer. */
export class FormError extends Error {
  override readonly name = 'FormError';

  constructor(
    message: string,
    readonly status: number,
    readonly errors: Readonly<Record<string, readonly string[]>> = {},
    /** Where to log in, when that is what is missing. */
    readonly logInPath?: string,
    /** Seconds until another try counts, where the site has said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * Sends a form without leaving the page. Its number stays the same when it is sent again after a failure, so that it
 * is carried out once. Throws `FormError`; the form and what was typed in it stay as they are.
 */
export async function sendForm(form: HTMLFormElement, submitter?: HTMLElement | null): Promise<FormAnswer> {
  const fields = fieldsOf(form, submitter);
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.href;
  let answer = await post(action, fields);
  if (answer.status === 403 && typeof answer.body['token'] === 'string') {
    // The page is older than the session, say after a login in another tab.
    setField(form, '_token', answer.body['token']);
    fields.set('_token', answer.body['token']);
    answer = await post(action, fields);
  }
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    // The next time is another time.
    setField(form, '_form', freshNumber());
    return body as FormAnswer;
  }
  throw new FormError(
    typeof body['message'] === 'string' ? sentenceOf(body['message'], body['retry_after']) : UNREADABLE,
    status,
    (body['errors'] ?? {}) as Record<string, readonly string[]>,
    typeof body['log_in'] === 'string' ? body['log_in'] : undefined,
    typeof body['retry_after'] === 'number' ? body['retry_after'] : undefined,
  );
}

/** A number for a form that was never sent. `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export const freshNumber = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

const UNREADABLE = 'That did not work. Please try again.';
const OFFLINE = 'There is no connection. What you typed is still here; try again in a moment.';

async function post(
  action: string,
  fields: URLSearchParams,
): Promise<{ status: number; body: Record<string, unknown> }> {
  let response: Response;
  try {
    response = await fetch(action, {
      method: 'POST',
      body: fields,
      headers: { Accept: 'application/json', 'X-Vitrine-Page': location.pathname + location.search },
    });
  } catch {
    throw new FormError(OFFLINE, 0);
  }
  try {
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    throw new FormError(UNREADABLE, response.status);
  }
}

/** What a form sends, without files. */
export function fieldsOf(form: HTMLFormElement, submitter?: HTMLElement | null): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') fields.append(name, value);
  return fields;
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

const sentenceOf = (message: string, retryAfter: unknown): string =>
  typeof retryAfter === 'number' ? `${message} Try again in ${retryAfter} s.` : message;

/** What a module does with forms of its kind. */
export interface FormHandling {
  /** After it was carried out. Where absent, the browser goes on to where the answer says. */
  readonly done?: (answer: FormAnswer, form: HTMLFormElement, submitter: HTMLElement | null) => void;
  /** Before it is sent; `false` leaves it unsent. */
  readonly before?: (form: HTMLFormElement, submitter: HTMLElement | null) => boolean | void;
  /** After it failed and its errors are shown; to take back what `before` did. */
  readonly failed?: (error: FormError, form: HTMLFormElement) => void;
}

/**
 * Sends the forms with `data-enhance="<kind>"`, now and later on the page, by script: one sending at a time, errors
 * beside their fields, a link to the login where the session has ended, and nothing typed is lost.
 */
export function enhanceForms(kind: string, { done, before, failed }: FormHandling): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['enhance'] !== kind || event.defaultPrevented)
      return;
    event.preventDefault();
    const { submitter } = event;
    if (form.ariaBusy === 'true' || before?.(form, submitter) === false) return;
    form.ariaBusy = 'true';
    let isLeaving = false;
    clearErrors(form);
    void sendForm(form, submitter)
      .then((answer) => {
        if (answer.notice !== undefined && done) notify(answer.notice);
        if (done) return done(answer, form, submitter);
        isLeaving = true;
        location.assign(answer.location);
      })
      .catch((error: unknown) => {
        if (!(error instanceof FormError)) throw error;
        showErrors(form, error);
        failed?.(error, form);
      })
      // Until the next page is there a second click would send it a second time.
      .finally(() => (form.ariaBusy = isLeaving ? 'true' : null));
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const form of document.querySelectorAll(`form[data-enhance="${kind}"]`)) form.ariaBusy = null;
  });
}

function clearErrors(form: HTMLFormElement): void {
  for (const line of form.querySelectorAll('[data-error]')) line.remove();
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
}

/** Each error beside its field; what belongs to none at the form's end. Errors that were shown before are gone. */
export function showErrors(form: HTMLFormElement, error: FormError): void {
  clearErrors(form);
  const unplaced: string[] = [];
  for (const [name, lines] of Object.entries(error.errors)) {
    const control = form.elements.namedItem(name);
    if (!(control instanceof HTMLElement) || control.getAttribute('type') === 'hidden') {
      unplaced.push(...lines);
      continue;
    }
    control.setAttribute('aria-invalid', 'true');
    control.after(errorLine(lines.join(' ')));
  }
  const first = form.querySelector<HTMLElement>('[aria-invalid]');
  first?.focus();
  if (first && unplaced.length === 0) return;
  const line = errorLine(first ? unplaced.join(' ') : error.message);
  if (error.logInPath !== undefined)
    line.append(' ', logInLink(error.logInPath, 'Log in (new tab), then send this again'));
  form.append(line);
}

/** Leads to the login beside the page, so that nothing on it is lost. */
export function logInLink(path: string, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = path;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = text;
  return link;
}

function errorLine(text: string): HTMLElement {
  const line = document.createElement('p');
  line.className = 'error';
  line.dataset['error'] = '';
  line.role = 'alert';
  line.textContent = text;
  return line;
}
