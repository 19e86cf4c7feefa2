import type { JSX } from 'preact';
import { encodeQR } from 'qr';
import type { AnswerOf } from '@vitrine/client';
import { CopyField } from '../components/copy-field';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

/** Modules of white around the code (ISO/IEC 18004 asks for four). */
const BORDER = 4;

/** A QR code as a picture in the page, which needs no script and no request. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={dark.join('')} />
    </svg>
  );
}

interface NewAppProps {
  /** Absent after a wrong code, because the secret is shown once. */
  readonly app?: AnswerOf<'beginAuthenticatorApp'>;
  readonly problem?: FormProblem;
}

/** The page on which an authenticator app gets its secret and confirms its first code. */
export const newAppPage = (props: NewAppProps): Page =>
  new Page({
    title: 'Set up an authenticator app',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <NewApp {...props} />,
  });

function NewApp({ app, problem }: NewAppProps): JSX.Element {
  return (
    <SettingsFrame tab="/settings/security">
      <section class="card stack" aria-labelledby="new-app">
        <h2 id="new-app">Set up an authenticator app</h2>
        {app && (
          <>
            <p>Scan the picture with your app, or type the key into it.</p>
            <QrCode text={app.uri} label="QR code for the authenticator app" />
            <CopyField id="secret" label="Key" value={app.secret} />
          </>
        )}
        <FormProblemNote problem={problem} fields={['code']} />
        <PostForm action="/settings/security/app/confirm" class="stack">
          <Field
            label="Code"
            name="code"
            hint="The six digits that the app shows now."
            errors={problem?.errors['code']}
          >
            {(control) => (
              <input
                {...control}
                type="text"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={20}
                required
                autoFocus
              />
            )}
          </Field>
          <div class="row">
            <button class="button primary">Turn it on</button>
            <a class="button" href="/settings/security">
              Cancel
            </a>
          </div>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}
