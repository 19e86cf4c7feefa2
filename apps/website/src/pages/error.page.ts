import { html } from './html';
import { page } from './layout';

/** What a visitor sees of an address under which there is nothing. */
export function notFoundPage(): string {
  return page(
    'Not found · Vitrine',
    html`
      <h1>There is nothing here.</h1>
      <p class="lead">
        The address may be mistyped, or what it showed is gone. Pages for posts, media and people come with
        the site itself, which isn’t built yet.
      </p>
      <p><a href="/">To the front page</a></p>
    `,
  );
}

/** What a visitor sees when it is our fault, or when the request can't be served. */
export function failurePage(): string {
  return page(
    'Something went wrong · Vitrine',
    html`
      <h1>Something went wrong.</h1>
      <p class="lead">Please try again in a moment.</p>
      <p><a href="/">To the front page</a></p>
    `,
  );
}
