import type { Webhook, WebhookDelivery } from '@vitrine/client';
import type { JSX } from 'preact';
import { FormProblemNote } from '../components/form-problem-note';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { DeliveryEntry } from './webhook-delivery-entry';
import { SettingsFrame } from './settings-frame';
import { WEBHOOK_FIELDS, WebhookFields, type WebhookForm } from './webhook-fields';
import { WebhookState } from './webhook-state';

/** One page of deliveries, as the API returns it. */
export interface DeliveriesPage {
  readonly data: readonly WebhookDelivery[];
  readonly links: { readonly prev: string | null; readonly next: string | null };
  readonly meta: { readonly current_page: number; readonly last_page: number };
}

interface WebhookPageProps {
  readonly webhook: Webhook;
  readonly deliveries: DeliveriesPage;
  /** Path and query of this page. */
  readonly path: string;
  readonly form?: WebhookForm;
  readonly problem?: FormProblem;
}

/** One webhook: its state, its deliveries, and forms to change it. */
export const webhookPage = (props: WebhookPageProps): Page =>
  new Page({
    title: 'Webhook',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    scripts: ['account.js'],
    secret: true,
    body: <WebhookDetails {...props} />,
  });

function WebhookDetails({ webhook, deliveries, path, form, problem }: WebhookPageProps): JSX.Element {
  const { id, url, description, events, active } = webhook;
  const action = `/settings/webhooks/${id}`;
  return (
    <SettingsFrame tab="/settings/webhooks">
      <section class="stack" aria-labelledby="webhook">
        <h2 id="webhook">{description ?? url}</h2>
        <p class="entry-title">
          <WebhookState webhook={webhook} /> {description !== null && url}
        </p>
        <WebhookNotice webhook={webhook} />
        <div class="entry-title">
          {active && (
            <PostForm action={`${action}/test`}>
              <button class="button primary">Send a test event</button>
            </PostForm>
          )}
          <PostForm action={`${action}/${active ? 'pause' : 'enable'}`}>
            <button class="button">{active ? 'Pause' : 'Enable'}</button>
          </PostForm>
          <PostForm
            action={`${action}/rotate`}
            data-confirm="Create a new secret? The old one stays valid for 24 hours."
          >
            <button class="button">New secret</button>
          </PostForm>
          <PostForm action={`${action}/delete`} data-confirm="Delete this webhook and its deliveries?">
            <button class="button danger">Delete</button>
          </PostForm>
        </div>
      </section>
      <section aria-labelledby="deliveries">
        <h2 id="deliveries">Deliveries</h2>
        {deliveries.data.length === 0 ? (
          <p class="empty">No deliveries yet.</p>
        ) : (
          <ul class="plain-list entries">
            {deliveries.data.map((delivery) => (
              <DeliveryEntry
                delivery={delivery}
                action={`${action}/deliveries/${delivery.id}/repeat`}
                active={active}
              />
            ))}
          </ul>
        )}
        <Pager meta={deliveries.meta} links={deliveries.links} path={path} />
      </section>
      <section class="card" aria-labelledby="change">
        <h2 id="change">Change</h2>
        <FormProblemNote problem={problem} fields={WEBHOOK_FIELDS} />
        <PostForm action={action} number={problem?.number} class="stack">
          <WebhookFields form={form ?? { url, description: description ?? '', events }} problem={problem} />
          <button class="button primary">Save</button>
        </PostForm>
      </section>
    </SettingsFrame>
  );
}

/** Says why a webhook receives nothing, or that it will soon. */
function WebhookNotice({ webhook }: { readonly webhook: Webhook }): JSX.Element | null {
  const { disabled_reason, disabled_at, failing_since } = webhook;
  const since = disabled_at !== null && <RelativeTime at={disabled_at} />;
  switch (disabled_reason) {
    case 'paused':
      return <p class="callout">You paused it {since}. It receives no events.</p>;
    case 'gone':
      return (
        <p class="callout danger">
          It was disabled {since}, because the receiver answered that it is gone (410). It receives no events
          until you enable it.
        </p>
      );
    case 'failing':
      return (
        <p class="callout danger">
          It was disabled {since}, because all attempts failed for five days. It receives no events until you
          enable it.
        </p>
      );
    case 'token_ended':
      return (
        <p class="callout danger">
          It was disabled {since}, because the API token that created it, or last changed its address or
          enabled it, was revoked or has expired. It receives no events until you enable it. Enable it only if
          its address is yours.
        </p>
      );
    case 'password_changed':
      return (
        <p class="callout danger">
          It was disabled {since}, because your password was changed. It receives no events until you enable
          it. Enable it only if its address is yours.
        </p>
      );
    default:
      return failing_since === null ? null : (
        <p class="callout">
          Every attempt since <RelativeTime at={failing_since} /> has failed. After five days of failures the
          webhook is disabled.
        </p>
      );
  }
}
