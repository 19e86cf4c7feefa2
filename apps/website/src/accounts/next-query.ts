/** Hands on where the visitor wants to go; nothing for the front page. */
export const nextQuery = (next: string): string =>
  next === '/' ? '' : `?${new URLSearchParams({ next }).toString()}`;
