import type { JSX } from 'preact';
import { useVisit } from '../components/visit-context';

/** Shown if this browser has uploads of a guest: they don't move to an account. */
export function GuestUploadsNote(): JSX.Element | null {
  const { visit } = useVisit();
  if (visit.guestToken === undefined) return null;
  return (
    <p class="small quiet">
      Uploads that you made here without an account don’t move to your account. They stay under{' '}
      <a href="/guest">your private link</a>.
    </p>
  );
}
