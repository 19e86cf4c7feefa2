import type { ModerationStatus } from '@vitrine/contracts';
import type { JSX } from 'preact';

export function StatusBadge({ status }: { readonly status: ModerationStatus }): JSX.Element {
  return <span class={`status-badge is-${status}`}>{status}</span>;
}
