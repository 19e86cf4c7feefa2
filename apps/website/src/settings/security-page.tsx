import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { PasskeyForm } from '../components/passkey-form';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { LoginList, type PastLogin } from './login-list';
import { ProofFields } from './proof-fields';
import { SettingsFrame } from './settings-frame';

export type Security = AnswerOf<'getSecurity'>['data'];
type Passkey = Security['passkeys'][number];

/** The forms of the page; the passkeys have one each to remove them. */
export type SecurityForm = 'app' | 'passkey' | 'codes' | `remove-${number}`;

export interface SecurityProps {
  readonly security: Security;
  readonly logins: readonly PastLogin[];
  readonly username: string;
  /** The form that was refused, and the problem. */
  readonly refused?: { readonly form: SecurityForm; readonly problem: FormProblem };
}

export const securityPage = (props: SecurityProps): Page =>
  new Page({
    title: 'Security',
    status: props.refused?.problem.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js', 'passkeys.js'],
    secret: true,
    body: <SecuritySettings {...props} />,
  });

function SecuritySettings({ security, logins, username, refused }: SecurityProps): JSX.Element {
  const { authenticator_app: app, passkeys, required } = security;
  const hasFactor = app || passkeys.some(({ cloned_at }) => cloned_at === null);
  const problemOf = (form: SecurityForm): FormProblem | undefined =>
    refused?.form === form ? refused.problem : undefined;
  return (
    <SettingsFrame tab="/settings/security">
      {required && !hasFactor && (
        <p class="callout danger">
          <strong>This site requires a second factor of your account.</strong> Set up an authenticator app or
          add a passkey to continue.
        </p>
      )}
      <section class="card stack" aria-labelledby="app">
        <h2 id="app">Authenticator app</h2>
        <App security={security} username={username} problem={problemOf('app')} />
      </section>
      <section class="card stack" aria-labelledby="passkeys">
        <h2 id="passkeys">Passkeys</h2>
        <p>
          With a passkey, you log in with the fingerprint, face or PIN of your device instead of your
          password. It can also be a second factor after the password.
        </p>
        <ul class="plain-list entries">
          {passkeys.map((passkey) => (
            <PasskeyEntry passkey={passkey} username={username} problem={problemOf(`remove-${passkey.id}`)} />
          ))}
        </ul>
        <NewPasskey username={username} problem={problemOf('passkey')} />
      </section>
      {(app || passkeys.length > 0) && (
        <section class="card stack" aria-labelledby="codes">
          <h2 id="codes">Recovery codes</h2>
          <p>
            You have {security.recovery_codes_left} recovery codes left. Each replaces a second factor once.
          </p>
          <details class="more" open={problemOf('codes') !== undefined}>
            <summary>Replace the codes</summary>
            <PostForm action="/settings/security/recovery-codes" class="stack">
              <FormProblemNote problem={problemOf('codes')} fields={['current_password', 'code']} />
              <ProofFields id="codes" username={username} problem={problemOf('codes')} codes />
              <button class="button">Make new recovery codes</button>
            </PostForm>
          </details>
        </section>
      )}
      <section class="card stack" aria-labelledby="logins">
        <h2 id="logins">Logins of the last 90 days</h2>
        <LoginList logins={logins} />
      </section>
    </SettingsFrame>
  );
}

interface FormProps {
  readonly username: string;
  readonly problem: FormProblem | undefined;
}

function App({ security, username, problem }: FormProps & { readonly security: Security }): JSX.Element {
  const { authenticator_app: app, authenticator_apps_available: available } = security;
  if (!app && !available) return <p>Authenticator apps are not available on this site.</p>;
  return (
    <>
      <p>
        {app
          ? 'On: logging in with your password also needs a code of the app.'
          : 'An app on your phone shows a code that you type after your password.'}
      </p>
      <details class="more" open={problem !== undefined}>
        <summary>{app ? 'Turn it off' : 'Set it up'}</summary>
        <PostForm action={`/settings/security/app${app ? '/remove' : ''}`} class="stack">
          <FormProblemNote problem={problem} fields={['current_password', 'code']} />
          <ProofFields id="app" username={username} problem={problem} codes />
          <button class={app ? 'button danger' : 'button primary'}>
            {app ? 'Turn the app off' : 'Set up an app'}
          </button>
        </PostForm>
      </details>
    </>
  );
}

function PasskeyEntry({
  passkey,
  username,
  problem,
}: FormProps & { readonly passkey: Passkey }): JSX.Element {
  const { id, name, created_at, last_used_at, cloned_at } = passkey;
  return (
    <li class="entry">
      <div class="stack">
        <p class="entry-title">
          <strong>{name}</strong>
          {cloned_at !== null && <span class="scope bad">was copied, no longer works</span>}
        </p>
        <p class="small quiet">
          Added <RelativeTime at={created_at} />
          {last_used_at !== null && (
            <>
              {' · last used '}
              <RelativeTime at={last_used_at} />
            </>
          )}
        </p>
        <details class="more" open={problem !== undefined}>
          <summary>
            Rename or remove<span class="visually-hidden"> {name}</span>
          </summary>
          <PostForm action={`/settings/security/passkeys/${id}/rename`} class="stack">
            <NameField id={`passkey-${id}-name`} value={name} problem={undefined} />
            <button class="button">Rename</button>
          </PostForm>
          <PostForm action={`/settings/security/passkeys/${id}/remove`} class="stack">
            <FormProblemNote problem={problem} fields={['current_password', 'code']} />
            <ProofFields id={`passkey-${id}`} username={username} problem={problem} codes />
            <button class="button danger">Remove</button>
          </PostForm>
        </details>
      </div>
    </li>
  );
}

/** Collapsed, so that nothing moves when the script shows the form. */
const NewPasskey = ({ username, problem }: FormProps): JSX.Element => (
  <details class="more" open={problem !== undefined}>
    <summary>New passkey</summary>
    <noscript>
      <p class="quiet">Adding a passkey needs JavaScript.</p>
    </noscript>
    <FormProblemNote problem={problem} fields={['current_password', 'code', 'name']} />
    <PasskeyForm
      action="/settings/security/passkeys"
      options="/settings/security/passkeys/options"
      does="make"
    >
      <NameField id="new-passkey-name" value="" problem={problem} />
      <ProofFields id="new-passkey" username={username} problem={problem} codes />
      <button class="button">Add a passkey</button>
    </PasskeyForm>
  </details>
);

interface NameFieldProps {
  readonly id: string;
  readonly value: string;
  readonly problem: FormProblem | undefined;
}

const NameField = ({ id, value, problem }: NameFieldProps): JSX.Element => (
  <Field label="Name" name="name" id={id} hint="For example the device." errors={problem?.errors['name']}>
    {(control) => <input {...control} type="text" value={value} maxLength={MAX_LENGTHS.name} required />}
  </Field>
);
