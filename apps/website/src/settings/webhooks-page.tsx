import type { Webhook } from '@vitrine/client';
import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';
import { EMPTY_WEBHOOK, WEBHOOK_FIELDS, WebhookFields, type WebhookForm } from './webhook-fields';
import { WebhookState } from './webhook-state';

interface WebhooksProps {
  readonly webhooks: readonly Webhook[];
  readonly form?: WebhookForm;
  readonly problem?: FormProblem;
}

/** The user's webhooks, and the form for a new one. */
export const webhooksPage = (props: WebhooksProps): Page =>
  new Page({
    title: 'Webhooks',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <Webhooks {...props} />,
  });

function Webhooks({ webhooks, form = EMPTY_WEBHOOK, problem }: WebhooksProps): JSX.Element {
  return (
    <SettingsFrame tab="/settings/webhooks">
      <p class="quiet">
        A webhook sends events about your media and posts to your server.{' '}
        <a href="/developers">How the API works</a>
      </p>
      <section aria-labelledby="webhooks">
        <h2 id="webhooks">Your webhooks</h2>
        {webhooks.length === 0 ? (
          <p class="empty">You have no webhooks yet.</p>
        ) : (
          <ul class="plain-list entries">
            {webhooks.map((webhook) => (
              <WebhookEntry webhook={webhook} />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="new-webhook">
        <h2 id="new-webhook">New webhook</h2>
        <FormProblemNote problem={problem} fields={WEBHOOK_FIELDS} />
        <PostForm action="/settings/webhooks" number={problem?.number} class="stack">
          <WebhookFields form={form} problem={problem} />
          <button class="button primary">Create webhook</button>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}

function WebhookEntry({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { id, url, description, events, created_at } = webhook;
  return (
    <li class="entry">
      <div>
        <p class="entry-title">
          <a href={`/settings/webhooks/${id}`}>
            <strong>{description ?? url}</strong>
          </a>
          <WebhookState webhook={webhook} />
        </p>
        <p class="small quiet">
          {description !== null && <>{url} · </>}
          {events.length === 1 ? '1 event' : `${events.length} events`} · created{' '}
          <RelativeTime at={created_at} />
        </p>
      </div>
      <a class="button" href={`/settings/webhooks/${id}`}>
        Open<span class="visually-hidden"> {description ?? url}</span>
      </a>
    </li>
  );
}
