/** Path of a guest's private page. `posted`: the slug of the post that was just created. */
export const guestPath = (token: string, posted?: string): string =>
  posted === undefined ? `/g/${token}` : `/g/${token}?${new URLSearchParams({ posted }).toString()}`;
