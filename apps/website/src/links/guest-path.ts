import { TOKEN_PATTERN, TOKEN_PREFIXES } from '@vitrine/contracts';

/** Whether a text has the form of a guest's token. */
export const isGuestToken = (text: string): boolean => TOKEN_PATTERN.exec(text)?.[1] === TOKEN_PREFIXES.guest;

/** Path of a guest's private page. `posted`: the slug of the post that was just created. */
export const guestPath = (token: string, posted?: string): string =>
  posted === undefined ? `/g/${token}` : `/g/${token}?${new URLSearchParams({ posted }).toString()}`;
