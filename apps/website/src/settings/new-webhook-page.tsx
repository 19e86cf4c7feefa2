import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

type WebhookWithSecret = AnswerOf<'createWebhook'>;

/** The only page that shows a webhook's secret. */
export const newWebhookPage = (made: WebhookWithSecret): Page =>
  new Page({
    title: 'Secret of your webhook',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <MadeWebhook {...made} />,
  });

function MadeWebhook({ secret, webhook }: WebhookWithSecret): JSX.Element {
  return (
    <SettingsFrame tab="/settings/webhooks">
      <section class="card stack" aria-labelledby="made-webhook">
        <h2 id="made-webhook">{webhook.description ?? webhook.url}</h2>
        <p class="callout">
          <strong>Copy the secret now: it is shown only once.</strong> Your program uses the secret to check
          that a request comes from this site.
        </p>
        <CopyField id="secret" label="Secret" value={secret} />
        <p>
          Requests are signed as{' '}
          <a href="https://www.standardwebhooks.com" rel="noreferrer">
            Standard Webhooks
          </a>{' '}
          describes it. There are libraries for most languages.
        </p>
      </section>
      <p>
        <a class="button primary" href={`/settings/webhooks/${webhook.id}`}>
          I have copied it
        </a>
      </p>
    </SettingsFrame>
  );
}
