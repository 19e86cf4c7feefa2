import { SlugTakenError, withFreshSlug } from './fresh-slug';

describe('withFreshSlug', () => {
  const slugs: string[] = [];
  beforeEach(() => slugs.splice(0));

  const failing = (times: number, error: Error) => (slug: string) => {
    slugs.push(slug);
    return slugs.length <= times ? Promise.reject(error) : Promise.resolve(slug);
  };

  it('tries another slug if one is taken', async () => {
    const slug = await withFreshSlug('post', failing(4, new SlugTakenError('post')));
    expect(slug).toBe(slugs[4]);
    expect(new Set(slugs).size).toBe(5);
  });

  it('gives up after five attempts', async () => {
    const error = new SlugTakenError('post');
    await expect(withFreshSlug('post', failing(9, error))).rejects.toBe(error);
    expect(slugs).toHaveLength(5);
  });

  it.each([new Error('other'), new SlugTakenError('media')])('does not repeat after %s', async (error) => {
    await expect(withFreshSlug('post', failing(9, error))).rejects.toBe(error);
    expect(slugs).toHaveLength(1);
  });
});
