import { showNotice } from './notices';

/** The site's JSON response to a form that a script sends (`FormResult` in src/results/form-result.ts). */
export interface FormAnswer {
  readonly notice?: string;
  /** Path to which the visitor would be redirected without scripts. */
  readonly location: string;
  /** Markup of a fragment of the page. */
  readonly html?: string;
  readonly [fact: string]: unknown;
}

/** Thrown if a form was not executed. `status` 0: there was no response. */
export class FormError extends Error {
  override readonly name = 'FormError';

  constructor(
    message: string,
    readonly status: number,
    readonly errors: Readonly<Record<string, readonly string[]>> = {},
    /** Path of the login, if the visitor must log in. */
    readonly logInPath?: string,
    /** Seconds until the form can be sent again, if the site has said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * Sends a form without a page load, with `changes` of its fields. After a failure its number stays the same, so that
 * it is executed only once. Throws `FormError`; the form and its values stay unchanged.
 */
export async function sendForm(
  form: HTMLFormElement,
  submitter?: HTMLElement | null,
  changes: Readonly<Record<string, string>> = {},
): Promise<FormAnswer> {
  // Other values are another request.
  if (Object.keys(changes).length > 0) setField(form, '_form', freshNumber());
  const fields = fieldsOf(form, submitter);
  for (const [name, value] of Object.entries(changes)) fields.set(name, value);
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? location.href;
  let answer = await post(action, fields);
  if (answer.status === 403 && typeof answer.body['token'] === 'string') {
    // The page is older than the session, for example after a login in another tab.
    setField(form, '_token', answer.body['token']);
    fields.set('_token', answer.body['token']);
    answer = await post(action, fields);
  }
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    // After a success, the next submission gets a new number.
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

/** A new form number. `crypto.randomUUID` is missing on pages over plain HTTP. */
export const freshNumber = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

const UNREADABLE = 'Something went wrong. Please try again.';
const OFFLINE = 'There is no connection. Your text is still here; try again in a moment.';

async function post(
  action: string,
  fields: URLSearchParams,
): Promise<{ status: number; body: Record<string, unknown> }> {
  let response: Response;
  try {
    response = await fetch(action, {
      method: 'POST',
      body: fields,
      // The request is sent even if the visitor leaves the page at once. Browsers allow 64 KiB for all such requests.
      keepalive: fields.toString().length < 1_000,
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

/** The fields that a form sends, without files. */
export function fieldsOf(form: HTMLFormElement, submitter?: HTMLElement | null): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter))
    if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** Sets a hidden field of a form. */
export function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

const sentenceOf = (message: string, retryAfter: unknown): string =>
  typeof retryAfter === 'number' ? `${message} Try again in ${retryAfter} s.` : message;

/** The callbacks for one kind of form. */
export interface FormHandling {
  /** Called after the form was executed. Returns where the browser goes, if it does. Default: to the response's location. */
  readonly done?: (answer: FormAnswer, form: HTMLFormElement, submitter: HTMLElement | null) => string | void;
  /** Called before the form is sent; return `false` to prevent it. */
  readonly before?: (form: HTMLFormElement, submitter: HTMLElement | null) => boolean | void;
  /** Called after a failure, when the errors are shown; to undo what `before` did. */
  readonly failed?: (error: FormError, form: HTMLFormElement) => void;
}

/**
 * Sends all forms with `data-enhance="<kind>"`, also those that are added later, by script: one request at a time for
 * each form, errors beside their fields, and a link to the login if the session has ended. Typed text is kept.
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
        if (answer.notice !== undefined && done) showNotice(answer.notice);
        const next = done ? done(answer, form, submitter) : answer.location;
        if (typeof next !== 'string') return;
        isLeaving = true;
        location.assign(next);
      })
      .catch((error: unknown) => {
        if (!(error instanceof FormError)) throw error;
        showErrors(form, error);
        failed?.(error, form);
      })
      // Until the next page has loaded, a second click must not send the form again.
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

/** Shows each error beside its field, and others at the end of the form. Removes earlier errors. */
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
    line.append(' ', logInLink(error.logInPath, 'Log in (new tab), then try again'));
  form.append(line);
}

/** A link to the login in a new tab, so that nothing on this page is lost. */
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
