import { Page } from '../results/page';

/** Asks people whether they want to leave for a provider. `address`: where they begin to. */
export const continuePage = (title: string, address: string): Page =>
  new Page({
    title: `Continue with ${title}`,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>Continue with {title}</h1>
        <p>You leave this site, prove to {title} who you are, and then come back here.</p>
        <p>
          <a class="button primary wide" href={address} rel="nofollow">
            Continue with {title}
          </a>
        </p>
      </div>
    ),
  });
