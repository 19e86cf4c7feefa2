/** The slug of the media that an object's key belongs to (see `objectKeys`); null for a key of another kind. */
export const slugOfKey = (key: string): string | null =>
  /^(?:f\/([A-Za-z0-9]{7})[._]|frames\/([A-Za-z0-9]{7})\/)/.exec(key)?.slice(1).find(Boolean) ?? null;
