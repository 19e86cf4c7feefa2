import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Ago } from '../components/ago';
import { CopyField } from '../components/copy-field';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { Page } from '../rendering/page';
import { useVisit } from '../rendering/visit-context';
import { SettingsFrame } from './settings-frame';

type NewToken = AnswerOf<'createToken'>;

/** The one page on which a token's secret is to be seen. */
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
          <strong>Copy the token now: it is shown this once.</strong> Whoever has it can act for you; keep it
          like a password.
        </p>
        <CopyField id="token" label="Token" value={secret} />
        <p class="small quiet">
          It may {token.scopes.join(', ')}, and{' '}
          {token.expires_at === null ? (
            'never expires'
          ) : (
            <>
              expires <Ago at={token.expires_at} />
            </>
          )}
          .
        </p>
      </section>
      <section class="card stack" aria-labelledby="use-token">
        <h2 id="use-token">Use it</h2>
        {uploads && (
          <div class="stack">
            <h3>ShareX</h3>
            <p>
              Download the file and open it: ShareX then uploads to your account, and copies the picture’s
              link. The token is in the file.
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
        <p>
          <a href="/developers">Everything a program can do</a>
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
