interface ProviderPathOptions {
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  /** The code of an invite; empty if there is none. */
  readonly invite?: string;
  /** Whether the provider asks people to prove again who they are. */
  readonly again?: boolean;
}

/** Path that begins a login with an identity provider. */
export function providerPath(
  name: string,
  { next, invite = '', again = false }: ProviderPathOptions,
): string {
  const query = new URLSearchParams({
    ...(next !== '/' && { next }),
    ...(invite !== '' && { invite }),
    ...(again && { again: '1' }),
  }).toString();
  return `/log-in/${name}${query === '' ? '' : `?${query}`}`;
}
