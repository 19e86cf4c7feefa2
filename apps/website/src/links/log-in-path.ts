/** Path of the login page, which sends the visitor back to `next`, a path within the site. */
export const logInPath = (next: string): string => `/login${queryOf(next)}`;

/** Path of the page for signing up, which sends the visitor to `next`. */
export const registerPath = (next: string): string => `/register${queryOf(next)}`;

/** No parameter for the home page, which is the default, and for the pages for logging in and signing up. */
const queryOf = (next: string): string =>
  next === '/' || /^\/(?:login|register)\b/.test(next) ? '' : `?${new URLSearchParams({ next }).toString()}`;
