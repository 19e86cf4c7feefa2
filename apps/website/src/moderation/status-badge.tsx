import type { AccountState, ModerationStatus } from '@vitrine/contracts';
import type { JSX } from 'preact';

export function StatusBadge({ status }: { readonly status: ModerationStatus | AccountState }): JSX.Element {
  return <span class={`status-badge is-${status}`}>{status}</span>;
}
