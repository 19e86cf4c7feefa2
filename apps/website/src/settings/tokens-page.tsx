import type { ApiToken } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { RelativeTime } from '../components/relative-time';
import { Field } from '../components/field';
import { Icon } from '../components/icon';
import { LogInAgainNote } from '../components/log-in-again-note';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';
import { LIFETIMES } from './token-expiry';

/** The scopes of a token. `moderate` is offered only to moderators and admins, and never preselected. */
export const SCOPES = [
  ['upload', 'Upload', 'Send files to the upload host.'],
  ['write', 'Write', 'Create and change posts and media, comment, vote, follow.'],
  ['read', 'Read', 'See what only you can see: your account, private posts, pending media.'],
  ['moderate', 'Moderate', 'Work as a moderator: the queue, decisions, bans.'],
] as const;
export type Scope = (typeof SCOPES)[number][0];

/** The values of the form for a new token. */
export interface TokenForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires: string;
  readonly day: string;
}

export interface TokensProps {
  readonly tokens: readonly ApiToken[];
  /** Whether the user is a moderator or an admin. */
  readonly isStaff: boolean;
  readonly username: string;
  readonly hasPassword: boolean;
  readonly form?: TokenForm;
  readonly problem?: FormProblem;
}

const EMPTY: TokenForm = { name: '', scopes: ['upload', 'write', 'read'], expires: 'year', day: '' };

export const tokensPage = (props: TokensProps): Page =>
  new Page({
    title: 'API tokens',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <Tokens {...props} />,
  });

function Tokens({ tokens, isStaff, username, hasPassword, form = EMPTY, problem }: TokensProps): JSX.Element {
  return (
    <SettingsFrame tab="/settings/tokens">
      <p class="quiet">
        A token lets a program act for you: ShareX, a script, an app.{' '}
        <a href="/developers">How to use a token</a>
      </p>
      <section class="card" aria-labelledby="new-token">
        <h2 id="new-token">New token</h2>
        <FormProblemNote
          problem={problem}
          fields={['name', 'scopes', 'expires', 'expires_at', 'current_password']}
        />
        <NewToken
          form={form}
          problem={problem}
          isStaff={isStaff}
          username={username}
          hasPassword={hasPassword}
        />
      </section>
      <section aria-labelledby="tokens">
        <h2 id="tokens">Your tokens</h2>
        {tokens.length === 0 ? (
          <p class="empty">You have no tokens yet.</p>
        ) : (
          <ul class="plain-list entries">
            {tokens.map((token) => (
              <TokenEntry token={token} />
            ))}
          </ul>
        )}
      </section>
    </SettingsFrame>
  );
}

interface NewTokenProps extends Pick<TokensProps, 'isStaff' | 'username' | 'hasPassword'> {
  readonly form: TokenForm;
  readonly problem: FormProblem | undefined;
}

function NewToken({ form, problem, isStaff, username, hasPassword }: NewTokenProps): JSX.Element {
  const errors = problem?.errors ?? {};
  const expiryErrors = errors['expires'] ?? errors['expires_at'];
  const scopeErrors = errors['scopes'];
  return (
    <PostForm action="/settings/tokens" number={problem?.number} class="stack">
      <Field
        label="Name"
        name="name"
        hint="What it is for, so that you recognise it later."
        errors={errors['name']}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            value={form.name}
            maxLength={MAX_LENGTHS.name}
            required
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset class="choices" {...(scopeErrors && { 'aria-describedby': 'scopes-error' })}>
        <legend>Permissions</legend>
        {SCOPES.filter(([scope]) => scope !== 'moderate' || isStaff).map(([scope, label, meaning]) => (
          <div class="choice">
            <input
              type="checkbox"
              id={`scope-${scope}`}
              name="scopes"
              value={scope}
              checked={form.scopes.includes(scope)}
              aria-describedby={`scope-${scope}-hint`}
            />
            <label for={`scope-${scope}`}>{label}</label>
            <p class="hint" id={`scope-${scope}-hint`}>
              {meaning}
            </p>
          </div>
        ))}
        {scopeErrors && (
          <p class="error" id="scopes-error">
            {scopeErrors.join(' ')}
          </p>
        )}
      </fieldset>
      <div class="expiry">
        <Field label="Expires" name="expires" errors={expiryErrors}>
          {(control) => (
            <select {...control}>
              {Object.entries(LIFETIMES).map(([name, { label }]) => (
                <option value={name} selected={form.expires === name}>
                  {label}
                </option>
              ))}
              <option value="day" selected={form.expires === 'day'}>
                On a date that you choose
              </option>
            </select>
          )}
        </Field>
        <div class="expiry-day">
          <Field label="Last day" name="day">
            {(control) => <input {...control} type="date" value={form.day} />}
          </Field>
        </div>
      </div>
      {/* For password managers: the account. */}
      <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
      {hasPassword ? (
        <PasswordField
          label="Your password"
          name="current_password"
          autoComplete="current-password"
          hint="This stops other people from creating tokens in a browser that you left open."
          errors={errors['current_password']}
        />
      ) : (
        <LogInAgainNote problem={problem} field="current_password" />
      )}
      <button class="button primary">
        <Icon name="key" />
        Create token
      </button>
    </PostForm>
  );
}

function TokenEntry({ token }: { readonly token: ApiToken }): JSX.Element {
  const { id, name, scopes, created_at, last_used_at, expires_at } = token;
  const hasExpired = expires_at !== null && new Date(expires_at) <= new Date();
  return (
    <li class="entry">
      <div>
        <p class="entry-title">
          <strong>{name}</strong>
          {scopes.map((scope) => (
            <span class="scope">{scope}</span>
          ))}
          {hasExpired && <span class="scope bad">expired</span>}
        </p>
        <p class="small quiet">
          Created <RelativeTime at={created_at} />
          {' · '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <RelativeTime at={last_used_at} />
            </>
          )}
          {' · '}
          {expires_at === null ? (
            'never expires'
          ) : (
            <>
              {hasExpired ? 'expired ' : 'expires '}
              <RelativeTime at={expires_at} />
            </>
          )}
        </p>
      </div>
      <PostForm
        action={`/settings/tokens/${id}/revoke`}
        data-confirm={`Revoke “${name}”? Programs that use it stop working immediately, and webhooks that it created or changed may be disabled.`}
      >
        <button class="button danger">
          Revoke<span class="visually-hidden"> {name}</span>
        </button>
      </PostForm>
    </li>
  );
}
