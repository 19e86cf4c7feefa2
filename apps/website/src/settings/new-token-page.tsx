import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';
import { CopyField } from '../components/copy-field';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { Page } from '../results/page';
import { useVisit } from '../components/visit-context';
import { SettingsFrame } from './settings-frame';
import { UploadRecipes } from './upload-recipes';

type NewToken = AnswerOf<'createToken'>;

/** The only page that shows a token's secret. */
export const newTokenPage = (made: NewToken): Page =>
  new Page({
    title: 'Your new token',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <MadeToken {...made} />,
  });

function MadeToken({ token: secret, api_token: token }: NewToken): JSX.Element {
  const { urls } = useVisit();
  const uploads = token.scopes.includes('upload');
  const curl = uploads
    ? `curl -H "Authorization: Bearer ${secret}" -F file=@photo.jpg ${urls.upload}`
    : `curl -H "Authorization: Bearer ${secret}" ${urls.api}/${token.scopes.includes('read') ? 'me' : 'posts'}`;
  return (
    <SettingsFrame tab="/settings/tokens">
      <section class="card stack" aria-labelledby="made-token">
        <h2 id="made-token">{token.name}</h2>
        <p class="callout">
          <strong>Copy the token now: it is shown only once.</strong> Anyone who has it can act for you, so
          keep it as safe as a password.
        </p>
        <CopyField id="token" label="Token" value={secret} />
        <p class="small quiet">
          Permissions: {token.scopes.join(', ')}. It{' '}
          {token.expires_at === null ? (
            'never expires'
          ) : (
            <>
              expires <RelativeTime at={token.expires_at} />
            </>
          )}
          .
        </p>
      </section>
      <section class="card stack" aria-labelledby="use-token">
        <h2 id="use-token">How to use it</h2>
        {uploads && (
          <div class="stack">
            <h3>ShareX</h3>
            <p>
              Download the file and open it: ShareX then uploads to your account and copies the link to the
              picture. The token is in the file.
            </p>
            <PostForm action="/settings/tokens/sharex">
              <input type="hidden" name="token" value={secret} />
              <button class="button">
                <Icon name="download" />
                Download for ShareX
              </button>
            </PostForm>
          </div>
        )}
        <div class="stack">
          <h3>Command line</h3>
          <CopyField id="curl" label={uploads ? 'Upload a file' : 'Try it'} value={curl} />
        </div>
        {uploads && (
          <UploadRecipes upload={urls.upload} token={secret} onlyUploads={token.scopes.length === 1} />
        )}
        <p>
          <a href="/developers">API documentation</a>
        </p>
      </section>
      <p>
        <a class="button primary" href="/settings/tokens">
          I have copied it
        </a>
      </p>
    </SettingsFrame>
  );
}
