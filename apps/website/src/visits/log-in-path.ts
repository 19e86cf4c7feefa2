/** The login, which brings the visitor back to `next`, a path within the site. */
export const logInPath = (next: string): string => `/login?${new URLSearchParams({ next }).toString()}`;
