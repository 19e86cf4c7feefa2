interface PostPathOptions {
  /** The access key of a private post. */
  readonly key?: string | undefined;
}

/** The path of a post's page. */
export const postPath = (slug: string, { key }: PostPathOptions = {}): string =>
  `/p/${encodeURIComponent(slug)}${key === undefined ? '' : `?${new URLSearchParams({ key }).toString()}`}`;
