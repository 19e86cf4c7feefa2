import { Page } from '../results/page';

/** Tells an applicant what happens next. */
export const appliedPage = (username: string): Page =>
  new Page({
    title: 'Application sent',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>Application sent</h1>
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
      </div>
    ),
  });
