/** The login, which brings the visitor back to `next`, a path within the site. */
export const logInPath = (next: string): string => `/login${queryOf(next)}`;

/** Where an account is opened, by which the visitor comes to `next` too. */
export const registerPath = (next: string): string => `/register${queryOf(next)}`;

/** The front page goes without saying; and nobody comes back to the login or to the other way in. */
const queryOf = (next: string): string =>
  next === '/' || /^\/(?:login|register)\b/.test(next) ? '' : `?${new URLSearchParams({ next }).toString()}`;
