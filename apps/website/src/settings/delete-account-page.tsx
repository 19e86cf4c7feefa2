import type { Account } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { LogInAgainNote } from '../components/log-in-again-note';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

interface DeleteAccountProps {
  readonly account: Account;
  readonly problem?: FormProblem;
}

export const deleteAccountPage = (props: DeleteAccountProps): Page =>
  new Page({
    title: 'Delete account',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <DeleteAccount {...props} />,
  });

function DeleteAccount({ account, problem }: DeleteAccountProps): JSX.Element {
  const { username, post_count: posts, media_count: media } = account;
  return (
    <SettingsFrame tab="/settings">
      <section class="card stack" aria-labelledby="deletion">
        <h2 id="deletion">Delete account {username}</h2>
        <p>This permanently deletes:</p>
        <ul>
          <li>{pluralize(posts, 'post')}, with their views, votes and the comments under them</li>
          <li>
            {pluralize(media, 'picture or video', 'pictures and videos')}; their links stop working everywhere
          </li>
          <li>your votes, follows, reports, sessions and API tokens</li>
          <li>
            the text of your comments; where someone has replied, <code>[deleted]</code> is shown instead
          </li>
        </ul>
        <p>
          Nobody else can ever use the name {username}. <strong>This can’t be undone.</strong>
        </p>
        <FormProblemNote problem={problem} fields={['password']} />
        <PostForm action="/settings/delete" class="stack">
          <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
          {account.has_password ? (
            <PasswordField
              label="Your password"
              name="password"
              autoComplete="current-password"
              errors={problem?.errors['password']}
            />
          ) : (
            <LogInAgainNote problem={problem} field="password" />
          )}
          <div class="row">
            <button class="button danger">Delete account</button>
            <a class="button" href="/settings">
              Keep account
            </a>
          </div>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}
