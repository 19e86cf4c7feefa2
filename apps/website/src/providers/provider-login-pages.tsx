import { entrancePage } from '../accounts/entrance-page';
import type { Page } from '../results/page';
import { FormProblemNote } from '../components/form-problem-note';
import type { FormProblem } from '../results/form-problem';

/** Asks people whether they want to leave for a provider. `address`: where they begin to. */
export const continuePage = (title: string, address: string): Page =>
  entrancePage(
    { title: `Continue with ${title}` },
    <>
      <p>You leave this site, prove to {title} who you are, and then come back here.</p>
      <p>
        <a class="button primary wide" href={address} rel="nofollow">
          Continue with {title}
        </a>
      </p>
    </>,
  );

/** Tells an applicant who came with a provider what happens next. */
export const waitingPage = (username: string, title: string): Page =>
  entrancePage(
    { title: 'Application sent' },
    <>
      <p class="callout good">
        The moderators will decide on your account <strong>{username}</strong>. Log in with {title} to see
        whether they have: it works as soon as they have accepted it.
      </p>
      <p>
        <a class="button" href="/">
          Home page
        </a>
      </p>
    </>,
  );

/** Says why a login with a provider did not work, and where to begin again. */
export const failedLoginPage = (title: string, problem: FormProblem): Page =>
  entrancePage(
    { title: 'Not logged in', status: problem.status },
    <>
      <FormProblemNote problem={problem} fields={[]} />
      <p class="quiet">A login with {title} must end in the browser in which it began, within ten minutes.</p>
      <p>
        <a class="button" href="/login">
          Back to the login page
        </a>
      </p>
    </>,
  );
