import type { JSX } from 'preact';
import { useVisit } from '../components/visit-context';
import { registerPath } from '../links/paths';

/** One sentence about the site for visitors without an account. */
export function Welcome(): JSX.Element | null {
  const { viewer, tagline, operatorPages } = useVisit();
  if (viewer) return null;
  const about = operatorPages.find(({ name }) => name === 'about');
  return (
    <p class="welcome">
      <span>{tagline}</span> <a href={registerPath('/')}>Sign up</a>{' '}
      {about ? (
        <>
          · <a href={`/${about.name}`}>About this site</a>
        </>
      ) : (
        'to vote, comment and follow.'
      )}
    </p>
  );
}
