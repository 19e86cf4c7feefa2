/** The format of guests' tokens in the API. */
const GUEST_TOKEN = /^vtg_[0-9A-Za-z]{40}$/;

export const isGuestToken = (text: string): boolean => GUEST_TOKEN.test(text);

/** Path of a guest's private page. `posted`: the slug of the post that was just created. */
export const guestPath = (token: string, posted?: string): string =>
  posted === undefined ? `/g/${token}` : `/g/${token}?${new URLSearchParams({ posted }).toString()}`;
