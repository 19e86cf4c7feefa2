import { Page } from '../results/page';

/** Tells an applicant who came with a provider what happens next. */
export const waitingPage = (username: string, title: string): Page =>
  new Page({
    title: 'Application sent',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>Application sent</h1>
        <p class="callout good">
          The moderators will decide on your account <strong>{username}</strong>. Log in with {title} to see
          whether they have: it works as soon as they have accepted it.
        </p>
        <p>
          <a class="button" href="/">
            Home page
          </a>
        </p>
      </div>
    ),
  });
