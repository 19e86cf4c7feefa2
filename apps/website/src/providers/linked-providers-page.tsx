import type { Account, AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { SettingsFrame } from '../settings/settings-frame';
import { providerPath } from '../links/paths';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';

interface LinkedProvidersProps {
  readonly account: Account;
  readonly identities: AnswerOf<'listIdentities'>['data'];
  readonly site: AnswerOf<'getSite'>['data'];
  readonly problem?: FormProblem;
}

export const linkedProvidersPage = (props: LinkedProvidersProps): Page =>
  new Page({
    title: 'Log in with other services',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <LinkedProviders {...props} />,
  });

function LinkedProviders({ account, identities, site, problem }: LinkedProvidersProps): JSX.Element {
  const others = site.providers.filter(({ name }) => !identities.some(({ provider }) => provider === name));
  return (
    <SettingsFrame tab="/settings">
      <section class="card stack" aria-labelledby="linked">
        <h2 id="linked">Log in with other services</h2>
        <p>
          Everyone who can log in to a linked account can log in here. You can’t remove the last way to log
          in.
        </p>
        <FormProblemNote problem={problem} fields={account.has_password ? ['current_password'] : []} />
        {!account.has_password && <LogInAgain identities={identities} />}
        <PostForm action="/settings/providers" class="stack">
          <input
            type="text"
            name="username"
            value={account.username}
            autoComplete="username"
            readOnly
            hidden
          />
          {account.has_password && (
            <PasswordField
              label="Your password"
              name="current_password"
              autoComplete="current-password"
              errors={problem?.errors['current_password']}
            />
          )}
          <ul class="plain-list entries">
            {identities.map(({ id, title, created_at, last_used_at }) => (
              <li class="entry">
                <div>
                  <p class="entry-title">
                    <strong>{title}</strong>
                  </p>
                  <p class="small quiet">
                    Linked <RelativeTime at={created_at} />
                    {last_used_at !== null && (
                      <>
                        {' · '}last used <RelativeTime at={last_used_at} />
                      </>
                    )}
                  </p>
                </div>
                <button class="button" name="unlink" value={id}>
                  Unlink<span class="visually-hidden"> {title}</span>
                </button>
              </li>
            ))}
            {others.map(({ name, title }) => (
              <li class="entry">
                <p class="entry-title">
                  <strong>{title}</strong>
                </p>
                <button class="button primary" name="link" value={name}>
                  Link<span class="visually-hidden"> {title}</span>
                </button>
              </li>
            ))}
          </ul>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}

/** How people without a password prove again who they are. */
function LogInAgain({ identities }: Pick<LinkedProvidersProps, 'identities'>): JSX.Element {
  return (
    <p class="callout">
      Your account has no password. Changes like these need a login of the last 10 minutes:{' '}
      {identities.map(
        ({ provider, title }) =>
          provider !== null && (
            <>
              <a href={providerPath(provider, { next: '/settings/providers', again: true })} rel="nofollow">
                log in again with {title}
              </a>
              {'. '}
            </>
          ),
      )}
    </p>
  );
}
