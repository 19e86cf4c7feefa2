import type { WebhookDelivery } from '@vitrine/client';
import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';

const BADGES = { pending: 'scope', delivered: 'scope good', failed: 'scope bad' } as const;

interface DeliveryEntryProps {
  readonly delivery: WebhookDelivery;
  /** The address of the form that repeats it. */
  readonly action: string;
  /** Whether the webhook is enabled, so that deliveries can be repeated. */
  readonly active: boolean;
}

/** A delivery with its latest attempt; its texts are folded. */
export function DeliveryEntry({ delivery, action, active }: DeliveryEntryProps): JSX.Element {
  const { event, status, created_at, attempts, last_attempt_at, next_attempt_at, took_ms } = delivery;
  const { response_status, response_body, error, payload, event_id } = delivery;
  return (
    <li class="entry">
      <div>
        <p class="entry-title">
          <code>{event}</code>
          <span class={BADGES[status]}>{status}</span>
        </p>
        <p class="small quiet">
          <RelativeTime at={created_at} />
          {last_attempt_at !== null && (
            <>
              {' · '}
              {attempts === 1 ? '1 attempt' : `${attempts} attempts`}, the last{' '}
              <RelativeTime at={last_attempt_at} />
            </>
          )}
          {response_status !== null && ` · status ${response_status}`}
          {took_ms !== null && ` · ${took_ms} ms`}
          {status === 'pending' && next_attempt_at !== null && (
            <>
              {' · next attempt '}
              {isSoon(next_attempt_at) ? 'in a moment' : <RelativeTime at={next_attempt_at} />}
            </>
          )}
        </p>
        {error !== null && <p class="small">{error}</p>}
        <details class="more">
          <summary class="small">
            Details<span class="visually-hidden"> of {event_id}</span>
          </summary>
          <p class="small">
            <code>webhook-id: {event_id}</code>
          </p>
          <pre class="exchange">{JSON.stringify(payload, null, 2)}</pre>
          {response_body !== null && response_body !== '' && (
            <>
              <p class="small">Beginning of the answer:</p>
              <pre class="exchange">{response_body}</pre>
            </>
          )}
        </details>
      </div>
      {active && (
        <PostForm action={action}>
          <button class="button">
            Repeat<span class="visually-hidden"> {event_id}</span>
          </button>
        </PostForm>
      )}
    </li>
  );
}

/** Whether a time is less than a minute away. */
const isSoon = (at: string): boolean => new Date(at).getTime() - Date.now() < 60_000;
