/** As the API makes guests' tokens (decisions, "Accounts, sessions, tokens"). */
const GUEST_TOKEN = /^vtg_[0-9A-Za-z]{40}$/;

export const isGuestToken = (text: string): boolean => GUEST_TOKEN.test(text);

/** The private page of a guest; `posted`: the slug of a post just made. */
export const guestPath = (token: string, posted?: string): string =>
  posted === undefined ? `/g/${token}` : `/g/${token}?${new URLSearchParams({ posted }).toString()}`;
