import type { JSX } from 'preact';
import { LOG_IN_FIELDS, LogInFields } from '../components/log-in-fields';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { durationInWords } from '../components/words';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { fieldLabelOf, formPurpose } from './form-labels';
import { type FilledForm, heldFieldName, heldFields, type InterruptedForm } from './interrupted-form';
import type { PageOptions } from '../results/page';
import { useVisit } from '../components/visit-context';

/** The page that shows a form that was not executed, to be sent again: after a login if one is needed. */
export function interruptedPage(form: InterruptedForm, hasSessionEnded: boolean): PageOptions {
  const { status, retryAfter } = form.problem;
  if (status === 401) return logInForFormPage(form, { hasSessionEnded, status });
  return unsentPage(form, { status, reason: reasonOf(form), retryAfter });
}

function reasonOf({ problem, hasNoCookies }: InterruptedForm): string {
  if (problem.code === 'conflict')
    return 'Your earlier request is still being processed. You can safely send it again: it takes effect only once.';
  if (problem.code !== 'stale_form') return `${problem.message} Your form was not sent.`;
  return hasNoCookies
    ? 'Your browser did not send the cookie that protects your forms. Please allow cookies for this site.'
    : 'You have logged in or out since you opened the page, so your form was not sent.';
}

interface UnsentOptions {
  readonly status?: number;
  readonly reason: string;
  readonly retryAfter?: number | undefined;
}

/** The page that shows a form again, to be sent by the current user. */
export const unsentPage = (form: FilledForm, { status = 200, ...why }: UnsentOptions): PageOptions => ({
  title: 'Not sent yet',
  status,
  head: { robots: 'noindex' },
  styles: ['account.css'],
  scripts: ['account.js'],
  secret: true,
  body: <Unsent form={form} {...why} />,
});

interface LogInForFormOptions {
  readonly hasSessionEnded: boolean;
  /** The username as typed into the login form. */
  readonly login?: string;
  readonly problem?: FormProblem;
  readonly status: number;
}

/** The page with the login form, which contains the waiting form. */
export const logInForFormPage = (
  form: FilledForm,
  { status, ...options }: LogInForFormOptions,
): PageOptions => ({
  title: 'Log in to continue',
  status,
  head: { robots: 'noindex' },
  styles: ['account.css'],
  scripts: ['account.js'],
  secret: true,
  body: <LogInForForm form={form} {...options} />,
});

function Unsent({
  form,
  reason,
  retryAfter,
}: { readonly form: FilledForm } & Omit<UnsentOptions, 'status'>): JSX.Element {
  const { viewer } = useVisit();
  return (
    <div class="unsent stack">
      <h1>Not sent yet: {formPurpose(form.action)}</h1>
      <p class="lead">{reason} Nothing is lost: you can send it again here.</p>
      {retryAfter !== undefined && (
        <p data-retry-after={retryAfter}>You can try again in {durationInWords(retryAfter)}.</p>
      )}
      <PostForm action={form.action} number={form.number} class="card stack">
        <FilledFields form={form} nameOf={(name) => name} />
        {form.passwords.map((name) => (
          <PasswordField
            label={fieldLabelOf(name, '')?.label ?? 'Password'}
            name={name}
            autoComplete="off"
            hint="Please type your password again. We don’t store it."
          />
        ))}
        <button class="button primary">Send{viewer !== null && <span> as {viewer.username}</span>}</button>
      </PostForm>
    </div>
  );
}

function LogInForForm({
  form,
  hasSessionEnded,
  login = '',
  problem,
}: { readonly form: FilledForm } & Omit<LogInForFormOptions, 'status'>): JSX.Element {
  return (
    <div class="unsent stack">
      <h1>Log in to continue</h1>
      <p class="lead">
        {hasSessionEnded ? 'Your session has ended. ' : ''}
        Not sent yet: {formPurpose(form.action)}. Nothing is lost: log in here, then send it.
      </p>
      <FormProblemNote problem={problem} fields={LOG_IN_FIELDS} />
      <PostForm action="/login" class="card stack">
        {hasVisibleFields(form) ? (
          <fieldset class="kept stack">
            <legend>What you typed</legend>
            <FilledFields form={form} nameOf={heldFieldName} />
          </fieldset>
        ) : (
          <FilledFields form={form} nameOf={heldFieldName} />
        )}
        <LogInFields login={login} problem={problem} />
        <div class="row">
          <button class="button primary">Log in</button>
          <button class="button" formNoValidate>
            I have logged in in another tab
          </button>
        </div>
        {heldFields(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </PostForm>
      <p class="quiet">
        No account yet?{' '}
        <a href="/register" target="_blank" rel="noopener">
          Sign up in a new tab
        </a>
        , then come back here.
      </p>
    </div>
  );
}

const hasVisibleFields = (form: FilledForm): boolean =>
  form.fields.some(([name, value]) => fieldLabelOf(name, value) !== null);

interface FilledFieldsProps {
  readonly form: FilledForm;
  readonly nameOf: (name: string) => string;
}

/** The typed fields, which the visitor can change; other values are hidden fields. */
function FilledFields({ form, nameOf }: FilledFieldsProps): JSX.Element {
  const fields = form.fields.map(([name, value]) => ({ name, value, words: fieldLabelOf(name, value) }));
  return (
    <>
      {fields.map(({ name, value, words }, i) => {
        if (!words) return null;
        const id = `typed-${i}`;
        return (
          <div class="field">
            <label for={id}>{words.label}</label>
            {words.long ? (
              <textarea id={id} name={nameOf(name)} rows={5}>
                {/* The HTML parser drops the first line break of a textarea (HTML, 4.11.11). */}
                {/^\r?\n/.test(value) ? `\n${value}` : value}
              </textarea>
            ) : (
              <input id={id} type="text" name={nameOf(name)} value={value} />
            )}
          </div>
        );
      })}
      {fields.map(
        ({ name, value, words }) => !words && <input type="hidden" name={nameOf(name)} value={value} />,
      )}
    </>
  );
}
