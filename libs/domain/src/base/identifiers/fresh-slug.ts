import { randomSlug } from './slug';

/** There are 62^7 slugs, so more than one collision in a row means that something else is wrong. */
const MAX_ATTEMPTS = 5;

/** What a slug names. Each kind has separate slugs. */
export type SlugOwner = 'media' | 'post' | 'collection';

/** The slug is in use; the caller should try another one. */
export class SlugTakenError extends Error {
  override readonly name = 'SlugTakenError';

  constructor(readonly owner: SlugOwner) {
    super(`The slug of the new ${owner} is taken`);
  }
}

/**
 * Runs `create` with a random slug, and with another one as long as it throws `SlugTakenError` of this owner. Throws
 * that error after five attempts.
 */
export const withFreshSlug = <Result>(
  owner: SlugOwner,
  create: (slug: string) => Promise<Result>,
): Promise<Result> => withFreshSlugs(owner, 1, ([slug]) => create(slug!));

/** As `withFreshSlug`, with `count` slugs. */
export async function withFreshSlugs<Result>(
  owner: SlugOwner,
  count: number,
  create: (slugs: readonly string[]) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create(Array.from({ length: count }, randomSlug));
    } catch (error) {
      if (!(error instanceof SlugTakenError) || error.owner !== owner || attempt === MAX_ATTEMPTS)
        throw error;
    }
  }
}
