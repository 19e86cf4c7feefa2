import { Page } from '../results/page';

/** Tells people who logged in with a provider that they are still logged in there. */
export const loggedOutPage = (providerUrl: string): Page =>
  new Page({
    title: 'Logged out',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>You have logged out</h1>
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
      </div>
    ),
  });
