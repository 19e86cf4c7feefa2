/** Path of the page of a tag, with whatever letters its name has. */
export const tagPath = (name: string): string => `/t/${encodeURIComponent(name)}`;
