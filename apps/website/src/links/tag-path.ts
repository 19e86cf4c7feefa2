/** Path of a tag's page; the name is encoded. */
export const tagPath = (name: string): string => `/t/${encodeURIComponent(name)}`;
