import type { Account } from '@vitrine/client';
import type { JSX } from 'preact';
import { counted } from '../components/counted';
import { PasswordField } from '../components/password-field';
import { PostForm } from '../components/post-form';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { Page } from '../rendering/page';
import { SettingsFrame } from './settings-frame';

interface DeleteAccountProps {
  readonly account: Account;
  readonly trouble?: FormTrouble;
}

export const deleteAccountPage = (props: DeleteAccountProps): Page =>
  new Page({
    title: 'Delete the account',
    status: props.trouble?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <DeleteAccount {...props} />,
  });

function DeleteAccount({ account, trouble }: DeleteAccountProps): JSX.Element {
  const { username, post_count: posts, media_count: media } = account;
  return (
    <SettingsFrame tab="/settings">
      <section class="card stack" aria-labelledby="deletion">
        <h2 id="deletion">Delete the account {username}</h2>
        <p>This takes away, for good:</p>
        <ul>
          <li>{counted(posts, 'post')}, with their views, votes and the comments under them</li>
          <li>
            {counted(media, 'picture or video', 'pictures and videos')}; their links stop working everywhere
          </li>
          <li>your votes, follows, reports, sessions and API tokens</li>
          <li>
            what you wrote in comments; where somebody has replied, <code>[deleted]</code> stays in its place
          </li>
        </ul>
        <p>
          Nobody else can ever take the name {username}. <strong>There is no way back.</strong>
        </p>
        <TroubleNote trouble={trouble} fields={['password']} />
        <PostForm action="/settings/delete" class="stack">
          <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
          <PasswordField
            label="Your password"
            name="password"
            autoComplete="current-password"
            errors={trouble?.errors['password']}
          />
          <div class="row">
            <button class="button danger">Delete everything</button>
            <a class="button" href="/settings">
              Keep the account
            </a>
          </div>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}
