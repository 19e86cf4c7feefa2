import type { JSX } from 'preact';
import { useVisit } from '../rendering/visit-context';

/** Tells whoever has uploaded in this browser without an account that an account doesn't take it over. */
export function GuestUploadsNote(): JSX.Element | null {
  const { visit } = useVisit();
  if (visit.guestToken === undefined) return null;
  return (
    <p class="small quiet">
      What you uploaded here without an account doesn’t become part of one: it stays under{' '}
      <a href="/guest">its private link</a>.
    </p>
  );
}
