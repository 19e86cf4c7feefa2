import { entrancePage } from './entrance-page';
import type { Page } from '../results/page';

/** Tells an applicant what happens next. */
export const appliedPage = (username: string): Page =>
  entrancePage(
    { title: 'Application sent' },
    <>
      <p class="callout good">
        The moderators will decide on your account <strong>{username}</strong>. Log in with your password to
        see whether they have: it works as soon as they have accepted it.
      </p>
      <p class="quiet">If they decline it, the name is free again, and you can apply again.</p>
      <p>
        <a class="button" href="/login">
          Log in
        </a>
      </p>
    </>,
  );

/** Tells people who logged in with a provider that they are still logged in there. */
export const loggedOutPage = (providerUrl: string): Page =>
  entrancePage(
    { title: 'Logged out', heading: 'You have logged out' },
    <>
      <p class="callout">
        You are still logged in at the provider with which you logged in here. On a shared computer, log out
        there too.
      </p>
      <p class="row">
        <a class="button primary" href={providerUrl}>
          Log out at {new URL(providerUrl).host}
        </a>
        <a class="button" href="/">
          Stay logged in there
        </a>
      </p>
    </>,
  );
