/** A date without a time means the end of that day, in UTC. */
export const endOfDay = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text;
