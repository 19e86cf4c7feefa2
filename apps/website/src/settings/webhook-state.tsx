import type { Webhook } from '@vitrine/client';
import type { JSX } from 'preact';

/** Whether a webhook receives events, as a short label. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  if (webhook.disabled_reason === 'paused') return <span class="scope">paused</span>;
  if (!webhook.active) return <span class="scope bad">disabled</span>;
  if (webhook.failing_since !== null) return <span class="scope bad">failing</span>;
  return <span class="scope good">active</span>;
}
