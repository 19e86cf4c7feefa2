interface PostPathOptions {
  /** The access key of a private post. */
  readonly key?: string | undefined;
  /** Page of the post's media, from 1. */
  readonly mediaPage?: number;
}

/** The path of a post's page. */
export function postPath(slug: string, { key, mediaPage = 1 }: PostPathOptions = {}): string {
  const query = new URLSearchParams({
    ...(mediaPage > 1 && { mediaPage: String(mediaPage) }),
    ...(key !== undefined && { key }),
  }).toString();
  return `/p/${encodeURIComponent(slug)}${query === '' ? '' : `?${query}`}`;
}
