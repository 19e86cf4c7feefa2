import { FormProblemNote } from '../components/form-problem-note';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';

/** Says why a login with a provider did not work, and where to begin again. */
export const failedLoginPage = (title: string, problem: FormProblem): Page =>
  new Page({
    title: 'Not logged in',
    status: problem.status,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>Not logged in</h1>
        <FormProblemNote problem={problem} fields={[]} />
        <p class="quiet">
          A login with {title} must end in the browser in which it began, within ten minutes.
        </p>
        <p>
          <a class="button" href="/login">
            Back to the login page
          </a>
        </p>
      </div>
    ),
  });
