import type { JSX } from 'preact';
import { LOG_IN_FIELDS, LogInFields } from '../components/log-in-fields';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { durationInWords } from './durations';
import { type FormTrouble, TroubleNote } from './form-trouble';
import { fieldWords, formPurpose } from './form-words';
import { type FilledForm, heldName, holding, type InterruptedForm } from './interrupted-form';
import type { PageOptions } from './page';
import { useVisit } from './visit-context';

/** Shows what was typed into a form that was not carried out, and takes it once more: after a login where one is needed. */
export function interruptedPage(form: InterruptedForm, hasSessionEnded: boolean): PageOptions {
  const { status, retryAfter } = form.trouble;
  if (status === 401) return logInForFormPage(form, { hasSessionEnded, status });
  return unsentPage(form, { status, reason: reasonOf(form), retryAfter });
}

function reasonOf({ trouble, isNameless }: InterruptedForm): string {
  if (trouble.code === 'conflict')
    return 'This is being carried out already; sent again, it is still done once.';
  if (trouble.code !== 'stale_form') return `${trouble.message} This was not sent.`;
  return isNameless
    ? 'Your browser sent no cookie along, and without it the site can’t tell that the form is yours. Please allow its cookies.'
    : 'The page was older than your login here, so this was not sent.';
}

interface UnsentOptions {
  readonly status?: number;
  readonly reason: string;
  readonly retryAfter?: number | undefined;
}

/** The form once more, to be sent by whoever is logged in. */
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
  /** What was typed as the login's name. */
  readonly login?: string;
  readonly trouble?: FormTrouble;
  readonly status: number;
}

/** The login, and in the same form the one that waits for it. */
export const logInForFormPage = (
  form: FilledForm,
  { status, ...options }: LogInForFormOptions,
): PageOptions => ({
  title: 'Log in to go on',
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
      <p class="lead">{reason} Nothing is lost: here it is, ready to be sent.</p>
      {retryAfter !== undefined && (
        <p data-retry-after={retryAfter}>It is worth another try in {durationInWords(retryAfter)}.</p>
      )}
      <PostForm action={form.action} number={form.number} class="card stack">
        <Typed form={form} nameOf={(name) => name} />
        {form.passwords.map((name) => (
          <PasswordField
            label={fieldWords(name, '')?.label ?? 'Password'}
            name={name}
            autoComplete="off"
            hint="Passwords are not kept: please type it again."
          />
        ))}
        <button class="button primary">Send it{viewer !== null && <span> as {viewer.username}</span>}</button>
      </PostForm>
    </div>
  );
}

function LogInForForm({
  form,
  hasSessionEnded,
  login = '',
  trouble,
}: { readonly form: FilledForm } & Omit<LogInForFormOptions, 'status'>): JSX.Element {
  return (
    <div class="unsent stack">
      <h1>Log in to go on</h1>
      <p class="lead">
        {hasSessionEnded ? 'Your session has ended. ' : ''}
        Not sent yet: {formPurpose(form.action)}. Nothing is lost: log in here, then send it.
      </p>
      <TroubleNote trouble={trouble} fields={LOG_IN_FIELDS} />
      <PostForm action="/login" class="card stack">
        {hasWords(form) ? (
          <fieldset class="kept stack">
            <legend>What you typed</legend>
            <Typed form={form} nameOf={heldName} />
          </fieldset>
        ) : (
          <Typed form={form} nameOf={heldName} />
        )}
        <LogInFields login={login} trouble={trouble} />
        <div class="row">
          <button class="button primary">Log in</button>
          <button class="button" formNoValidate>
            I did, in another tab
          </button>
        </div>
        {holding(form).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </PostForm>
      <p class="quiet">
        No account yet?{' '}
        <a href="/register" target="_blank" rel="noopener">
          Open one in a new tab
        </a>
        , then come back here.
      </p>
    </div>
  );
}

const hasWords = (form: FilledForm): boolean =>
  form.fields.some(([name, value]) => fieldWords(name, value) !== null);

interface TypedProps {
  readonly form: FilledForm;
  readonly nameOf: (name: string) => string;
}

/** What was typed, to be read and mended; what was chosen goes along unseen. */
function Typed({ form, nameOf }: TypedProps): JSX.Element {
  const fields = form.fields.map(([name, value]) => ({ name, value, words: fieldWords(name, value) }));
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
                {/* The parser drops the first line break of a text area (HTML, 4.11.11). */}
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
