import type { Account, AnswerOf, Session } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { RelativeTime } from '../components/relative-time';
import { Avatar } from '../components/avatar';
import { Field } from '../components/field';
import { LogInAgainNote } from '../components/log-in-again-note';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { StorageUseFacts } from '../components/storage-use';
import { SettingsFrame } from './settings-frame';

export interface SettingsProps {
  readonly account: Account;
  readonly sessions: readonly Session[];
  /** Whether the account may create invites. */
  readonly invites: boolean;
  readonly site: AnswerOf<'getSite'>['data'];
  /** The form that was refused, and the problem. */
  readonly refused?:
    | { readonly form: 'profile' | 'email'; readonly typed: string; readonly problem: FormProblem }
    | { readonly form: 'password'; readonly problem: FormProblem };
}

export const settingsPage = (props: SettingsProps): Page =>
  new Page({
    title: 'Settings',
    status: props.refused?.problem.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <Settings {...props} />,
  });

function Settings({ account, sessions, invites, site, refused }: SettingsProps): JSX.Element {
  const profile = refused?.form === 'profile' ? refused : undefined;
  const email = refused?.form === 'email' ? refused : undefined;
  return (
    <SettingsFrame tab="/settings">
      <section class="card" aria-labelledby="picture">
        <h2 id="picture">Profile picture</h2>
        <div class="own-picture">
          <Avatar user={account} size={96} />
          <div class="stack">
            <p>
              <strong>{account.username}</strong>{' '}
              <span class="quiet">
                joined <RelativeTime at={account.created_at} />
              </span>
            </p>
            <div class="row">
              <a class="button" href="/settings/avatar">
                Choose a picture
              </a>
              {account.avatar !== null && (
                <PostForm action="/settings/avatar">
                  <input type="hidden" name="avatar" value="" />
                  <button class="button">Remove picture</button>
                </PostForm>
              )}
            </div>
          </div>
        </div>
      </section>
      <section class="card" aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <Profile typed={profile?.typed ?? account.bio ?? ''} problem={profile?.problem} />
      </section>
      <section class="card" aria-labelledby="email-heading">
        <h2 id="email-heading">Email</h2>
        <EmailState account={account} sendsMail={site.sends_mail} />
        <Email
          hasPassword={account.has_password}
          username={account.username}
          typed={email?.typed ?? account.email ?? ''}
          problem={email?.problem}
        />
      </section>
      {site.password_login && (
        <section class="card" aria-labelledby="password">
          <h2 id="password">Password</h2>
          <Password
            hasPassword={account.has_password}
            username={account.username}
            problem={refused?.form === 'password' ? refused.problem : undefined}
          />
        </section>
      )}
      {site.providers.length > 0 && (
        <section class="card" aria-labelledby="providers">
          <h2 id="providers">Other services</h2>
          <p>You can log in with {site.providers.map(({ title }) => title).join(', ')}.</p>
          <a class="button" href="/settings/providers">
            Link or unlink …
          </a>
        </section>
      )}
      <section class="card" aria-labelledby="sessions">
        <h2 id="sessions">Devices where you are logged in</h2>
        <Sessions sessions={sessions} />
      </section>
      <section class="card" aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
        <StorageUseFacts use={account.storage} />
      </section>
      {invites && (
        <section class="card" aria-labelledby="invites">
          <h2 id="invites">Invites</h2>
          <p>You can invite people to this site.</p>
          <a class="button" href="/settings/invites">
            Invites
          </a>
        </section>
      )}
      <section class="card" aria-labelledby="leaving">
        <h2 id="leaving">Delete account</h2>
        <p>You can permanently delete your account and everything in it.</p>
        <a class="button danger" href="/settings/delete">
          Delete account …
        </a>
      </section>
    </SettingsFrame>
  );
}

interface ProfileProps {
  readonly typed: string;
  readonly problem: FormProblem | undefined;
}

function Profile({ typed, problem }: ProfileProps): JSX.Element {
  return (
    <PostForm action="/settings/profile" class="stack">
      <FormProblemNote problem={problem} fields={['bio']} />
      <Field
        label="About you"
        name="bio"
        hint={`Up to ${MAX_LENGTHS.bio} characters. Everyone can see it on your profile.`}
        errors={problem?.errors['bio']}
      >
        {(control) => (
          <textarea {...control} dir="auto" rows={4} maxLength={MAX_LENGTHS.bio}>
            {typed}
          </textarea>
        )}
      </Field>
      <button class="button primary">Save</button>
    </PostForm>
  );
}

interface EmailStateProps {
  readonly account: Account;
  readonly sendsMail: boolean;
}

/** Whether the address is confirmed, and what follows if it isn't. */
function EmailState({ account, sendsMail }: EmailStateProps): JSX.Element | null {
  const { email, email_verified: verified, verified_email: counts } = account;
  if (email === null) return null;
  if (verified) return <p class="quiet">Your address is confirmed. You can also log in with it.</p>;
  if (!sendsMail) return <p class="quiet">This site sends no mails, so it can’t confirm your address.</p>;
  return (
    <div class="callout">
      <p>
        Your address is not confirmed yet. Open the link that we have sent to <strong>{email}</strong>.
        {counts !== null && <> Until then, mails go to {counts}.</>}
      </p>
      <PostForm action="/settings/email/verification">
        <button class="button">Send the link again</button>
      </PostForm>
    </div>
  );
}

function Email({
  username,
  hasPassword,
  typed,
  problem,
}: ProfileProps & { readonly username: string; readonly hasPassword: boolean }): JSX.Element {
  return (
    <PostForm action="/settings/email" class="stack">
      <FormProblemNote problem={problem} fields={['email', 'current_password']} />
      <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
      <Field
        label="Email address"
        name="email"
        hint="Nobody else can see it. We send mails about the security of your account to it, and a link if you forget your password."
        errors={problem?.errors['email']}
      >
        {(control) => (
          <input {...control} type="email" value={typed} autoComplete="email" maxLength={MAX_LENGTHS.email} />
        )}
      </Field>
      {hasPassword ? (
        <PasswordField
          label="Your password"
          name="current_password"
          id="field-password-for-email"
          autoComplete="current-password"
          errors={problem?.errors['current_password']}
        />
      ) : (
        <LogInAgainNote problem={problem} field="current_password" />
      )}
      <button class="button primary">Save email address</button>
    </PostForm>
  );
}

interface PasswordProps {
  readonly username: string;
  readonly hasPassword: boolean;
  readonly problem: FormProblem | undefined;
}

function Password({ username, hasPassword, problem }: PasswordProps): JSX.Element {
  return (
    <PostForm action="/settings/password" number={problem?.number} class="stack">
      <FormProblemNote problem={problem} fields={['current_password', 'password']} />
      {/* For password managers: the account whose password changes. */}
      <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
      {hasPassword ? (
        <PasswordField
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          errors={problem?.errors['current_password']}
        />
      ) : (
        <LogInAgainNote problem={problem} field="current_password" />
      )}
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        minLength={10}
        judged
        hint="At least 10 characters, not easy to guess: several words are best. Your other devices will be logged out."
        errors={problem?.errors['password']}
      />
      <label class="check">
        <input type="checkbox" name="keep_tokens" value="1" />
        <span>
          Keep my API tokens and webhooks. Otherwise all tokens stop working now, and all webhooks are
          disabled.
        </span>
      </label>
      <button class="button primary">{hasPassword ? 'Change password' : 'Set password'}</button>
    </PostForm>
  );
}

/** Further sessions are collapsed. */
const SHOWN_SESSIONS = 6;

function Sessions({ sessions }: { readonly sessions: readonly Session[] }): JSX.Element {
  const [first, more] = [sessions.slice(0, SHOWN_SESSIONS), sessions.slice(SHOWN_SESSIONS)];
  return (
    <div class="stack">
      <SessionList sessions={first} />
      {more.length > 0 && (
        <details class="more">
          <summary>{more.length} more</summary>
          <SessionList sessions={more} />
        </details>
      )}
      {sessions.some(({ current }) => !current) && (
        <p>
          <a class="button" href="/settings/sessions/end-others">
            Log out of other devices…
          </a>
        </p>
      )}
    </div>
  );
}

const SessionList = ({ sessions }: { readonly sessions: readonly Session[] }): JSX.Element => (
  <ul class="plain-list entries">
    {sessions.map(({ id, device, current, created_at, last_used_at }) => (
      <li class="entry">
        <div>
          <p class="entry-title">
            <strong>{device ?? 'Unknown browser'}</strong>
            {current && <span class="scope good">this device</span>}
          </p>
          <p class="small quiet">
            Logged in <RelativeTime at={created_at} />
            {' · '}
            {current ? (
              'in use now'
            ) : (
              <>
                last used <RelativeTime at={last_used_at} />
              </>
            )}
          </p>
        </div>
        {current ? (
          <PostForm action="/logout">
            <button class="button">
              Log out<span class="visually-hidden"> here</span>
            </button>
          </PostForm>
        ) : (
          <a class="button" href={`/settings/sessions/${id}/end`}>
            Log out…<span class="visually-hidden"> {device ?? 'unknown browser'}</span>
          </a>
        )}
      </li>
    ))}
  </ul>
);
