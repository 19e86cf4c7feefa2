import { VitrineError } from '@vitrine/client';
import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { LogInFirst } from '../visits/log-in-first';
import { StaleForm } from '../visits/stale-form';
import type { Visit } from '../visits/visit';
import type { PageOptions } from './page';
import type { Trouble } from './trouble';

/**
 * A form that couldn't be carried out for a reason that passes: the session has ended, the page it stood on is out of
 * date, the API is away, a limit is reached. What was typed is shown again, ready to be sent once more.
 */
export interface InterruptedForm {
  readonly trouble: Trouble;
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly needsLogin: boolean;
}

/** What must not be written into a page again. */
const SECRET = /password|token/i;
const PASSING = new Set([401, 429, 503]);

export const InterruptedForm = {
  /** The form behind an error; null where it wasn't one, or sending it again is no use. */
  of(error: unknown, trouble: Trouble, visit: Visit): InterruptedForm | null {
    const { request } = visit;
    const body = (request.body ?? {}) as Record<string, unknown>;
    const isStale = error instanceof StaleForm && error.reason === 'stale';
    const isPassing =
      PASSING.has(trouble.status) && (error instanceof VitrineError || error instanceof LogInFirst);
    if (request.method !== 'POST' || !(isStale || isPassing)) return null;
    const fields = Object.entries(body).flatMap(([name, value]) =>
      name.startsWith('_') ? [] : [value].flat().map((text) => [name, String(text)] as const),
    );
    if (fields.some(([name]) => SECRET.test(name))) return null;
    return { trouble, action: visit.path, fields, needsLogin: trouble.status === 401 };
  },
};

/** Shows what was typed, and takes it once more. */
export const interruptedPage = (form: InterruptedForm): PageOptions => ({
  title: form.needsLogin ? 'Log in to go on' : 'Not sent yet',
  status: form.trouble.status,
  secret: true,
  body: <Interrupted {...form} />,
});

function Interrupted({ trouble, action, fields, needsLogin }: InterruptedForm): JSX.Element {
  return (
    <>
      <h1>{needsLogin ? 'Log in to go on' : 'Not sent yet'}</h1>
      <p class="lead">
        {needsLogin
          ? 'Your session has ended, so this was not sent. Nothing is lost: log in in a new tab, then send it from here.'
          : `${trouble.message} This was not sent. Nothing is lost: here it is, to be sent again.`}
      </p>
      {needsLogin && (
        <p>
          <a class="button" href="/login" target="_blank" rel="noopener">
            Log in (new tab)
          </a>
        </p>
      )}
      <PostForm action={action} class="stack">
        {fields.map(([name, value]) =>
          value.length > 20 || value.includes('\n') ? (
            <label class="field">
              <span>{name}</span>
              <textarea name={name} rows={5}>
                {value}
              </textarea>
            </label>
          ) : (
            <input type="hidden" name={name} value={value} />
          ),
        )}
        <button class="button primary">Send it again</button>
      </PostForm>
    </>
  );
}
