import type { Answer, Ask } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

describe('the content of lists', () => {
  const api = useSharedGateway();
  let owner: Person;
  let stranger: Person;
  let moderator: Person;

  beforeAll(async () => {
    moderator = await createPerson(api.database, { role: 'moderator' });
  });
  beforeEach(async () => {
    owner = await createPerson(api.database);
    stranger = await createPerson(api.database);
  });

  const as = (person: Person, body?: unknown): Ask => ({
    token: person.session,
    ...(body !== undefined && { body }),
  });
  const get = (path: string, ask: Ask = {}): Promise<Answer> => api.gateway.ask('GET', path, ask);
  const dataOf = ({ body }: Answer) => body['data'] as Record<string, unknown>;
  const itemsOf = ({ body }: Answer) => body['data'] as Record<string, unknown>[];
  const slugsOf = (answer: Answer) => itemsOf(answer).map(({ slug }) => slug);
  const post = async (media: readonly StoredMedia[], fields: object = {}) => {
    const body = { media_ids: media.map(({ id }) => id), ...fields };
    const answer = await api.gateway.ask('POST', '/posts', as(owner, body));
    expect(answer.status).toBe(201);
    return answer.body['post'] as { id: number; slug: string };
  };
  const ruleOn = async (type: 'media' | 'posts', slug: string, status: string) => {
    const body = { status, reason: 'seen' };
    expect((await api.gateway.ask('POST', `/moderation/${type}/${slug}`, as(moderator, body))).status).toBe(
      200,
    );
  };

  describe('unlisted media', () => {
    const unlisted = async (title: string) => {
      const media = await storeMedia(api.database, owner, { title });
      const tags = { tags: [title], unlisted: true };
      expect((await api.gateway.ask('PATCH', `/media/${media.slug}`, as(owner, tags))).status).toBe(200);
      return media;
    };
    /** The number of lists (feed, tag, search, profile) that show a media item, and the count of its tag. */
    const showing = async ({ slug }: StoredMedia, word: string, ask: Ask = {}) => {
      const lists = [
        `/media?limit=250`,
        `/media?tag=${word}`,
        `/media?q=${word}`,
        `/media?username=${owner.username}`,
        `/users/${owner.username}/media`,
      ];
      const answers = [];
      for (const list of lists) answers.push(slugsOf(await get(list, ask)).includes(slug));
      const tags = await get(`/tags?q=${word}`);
      return [...answers, itemsOf(tags).length];
    };
    const NOWHERE = [false, false, false, false, false, 0];
    const EVERYWHERE = [true, true, true, true, true, 1];

    // Promise [visibility]: Unlisted media are in no list until they are in a public post.
    it('are in no list until they are in a public post, but can be read by their slug', async () => {
      const word = `u${owner.id}a`;
      const media = await unlisted(word);
      expect(await showing(media, word)).toEqual(NOWHERE);
      expect((await get(`/media/${media.slug}`)).status).toBe(200);
      expect(slugsOf(await get(`/media?slugs=${media.slug}`))).toEqual([media.slug]);
      expect(dataOf(await get(`/users/${owner.username}`))).toMatchObject({ media_count: 0 });
      // The owner's own list shows it.
      expect(slugsOf(await get(`/users/${owner.username}/media`, as(owner)))).toEqual([media.slug]);
      const { slug } = await post([media], { visibility: 'hidden' });
      expect(await showing(media, word)).toEqual(NOWHERE);
      await api.gateway.ask('PATCH', `/posts/${slug}`, as(owner, { visibility: 'public' }));
      expect(await showing(media, word)).toEqual(EVERYWHERE);
      await api.gateway.ask('DELETE', `/posts/${slug}`, as(owner));
      expect(await showing(media, word)).toEqual(NOWHERE);
    });

    it('stay unlisted through decisions, until their owner lists them', async () => {
      const word = `u${owner.id}b`;
      const media = await unlisted(word);
      await ruleOn('media', media.slug, 'rejected');
      await ruleOn('media', media.slug, 'approved');
      expect(await showing(media, word)).toEqual(NOWHERE);
      await api.gateway.ask('PATCH', `/media/${media.slug}`, as(owner, { title: word }));
      expect(await showing(media, word)).toEqual(NOWHERE);
      await api.gateway.ask('PATCH', `/media/${media.slug}`, as(owner, { unlisted: false }));
      expect(await showing(media, word)).toEqual(EVERYWHERE);
    });

    it('show the flag to their owner only', async () => {
      const media = await unlisted(`u${owner.id}c`);
      await post([media]);
      for (const ask of [{}, as(stranger), as(moderator)]) {
        expect(dataOf(await get(`/media/${media.slug}`, ask))).not.toHaveProperty('unlisted');
      }
      expect(dataOf(await get(`/media/${media.slug}`, as(owner)))).toMatchObject({ unlisted: true });
      for (const path of [`/users/${owner.username}/media`, `/media?slugs=${media.slug}`]) {
        expect(itemsOf(await get(path, as(owner)))).toMatchObject([{ unlisted: true }]);
        expect(itemsOf(await get(path))[0]).not.toHaveProperty('unlisted');
      }
      const wrong = await api.gateway.ask('PATCH', `/media/${media.slug}`, as(owner, { unlisted: 'maybe' }));
      expect(wrong.status).toBe(422);
      expect(
        (await api.gateway.ask('PATCH', `/media/${media.slug}`, as(stranger, { unlisted: true }))).status,
      ).toBe(403);
    });
  });

  describe('a post that holds nsfw media', () => {
    // Promise [visibility]: A post with nsfw media is in no list without `nsfw=1`, even after a ruling of
    // approved.
    it('is in no list without nsfw=1, even if a moderator approved the post', async () => {
      const word = `n${owner.id}`;
      const media = [await storeMedia(api.database, owner), await storeMedia(api.database, owner)];
      const { slug } = await post([media[1]!, media[0]!], { title: word, tags: [word] });
      const lists = [
        '/posts?limit=250',
        `/posts?tag=${word}`,
        `/posts?q=${word}`,
        `/posts?username=${owner.username}`,
        `/posts?sort=random&limit=250`,
        `/users/${owner.username}/posts`,
      ];
      await api.gateway.ask('POST', `/posts/${slug}/comments`, as(stranger, { content: 'Seen.' }));
      const comments = async (query = '') =>
        itemsOf(await get(`/users/${stranger.username}/comments${query}`)).length;
      const shown = async (query = '') => {
        const answers = [];
        for (const list of lists) {
          const path = list + (query === '' ? '' : `${list.includes('?') ? '&' : '?'}${query}`);
          const found = itemsOf(await get(path)).find((one) => one['slug'] === slug);
          const first = found?.['first_media'] as { moderation_status: string } | null | undefined;
          answers.push(found ? first?.moderation_status : 'absent');
        }
        return [...new Set(answers)];
      };
      expect(await shown()).toEqual(['approved']);
      await ruleOn('posts', slug, 'approved');
      await ruleOn('media', media[1]!.slug, 'nsfw');
      expect(dataOf(await get(`/posts/${slug}`))).toMatchObject({ moderation_status: 'approved' });
      expect(await shown()).toEqual(['absent']);
      expect(await shown('nsfw=1')).toEqual(['nsfw']);
      expect([await comments(), await comments('?nsfw=1')]).toEqual([0, 1]);
      await ruleOn('media', media[1]!.slug, 'rejected');
      expect(await shown()).toEqual(['approved']);
      expect(await comments()).toBe(1);
    });

    // Promise [lists]: With `nsfw=1`, tags count nsfw items too.
    it('is counted by tags with nsfw=1 only', async () => {
      const word = `t${owner.id}`;
      await post([await storeMedia(api.database, owner)], { tags: [word] });
      await post([await storeMedia(api.database, owner, { status: 'nsfw' })], { tags: [word, `${word}x`] });
      expect(itemsOf(await get(`/tags?q=${word}`))).toEqual([{ name: word, post_count: 1, media_count: 0 }]);
      expect(itemsOf(await get(`/tags?q=${word}&nsfw=1`))).toEqual([
        { name: word, post_count: 2, media_count: 0 },
        { name: `${word}x`, post_count: 1, media_count: 0 },
      ]);
    });
  });

  // Promise [visibility]: An avatar is shown only while its picture is approved.
  it('an avatar is shown only while its picture is approved', async () => {
    const picture = await storeMedia(api.database, owner, { status: 'pending' });
    const { slug } = await post([await storeMedia(api.database, owner)]);
    await api.gateway.ask('POST', `/posts/${slug}/comments`, as(owner, { content: 'Hello' }));
    await api.gateway.ask('POST', `/users/${stranger.username}/follow`, as(owner));
    await api.gateway.ask('POST', `/users/${owner.username}/follow`, as(stranger));
    await api.gateway.ask(
      'POST',
      '/reports',
      as(stranger, { type: 'user', target: owner.username, reason: 'spam' }),
    );
    const chosen = await api.gateway.ask('PATCH', '/me', as(owner, { avatar: picture.slug }));
    expect([chosen.status, chosen.body['data']]).toMatchObject([200, { avatar: null }]);

    const places: [string, Ask][] = [
      ['/me', as(owner)],
      [`/users/${owner.username}`, {}],
      [`/users/${stranger.username}/followers`, {}],
      [`/users/${stranger.username}/following`, {}],
      [`/posts/${slug}`, {}],
      [`/posts?username=${owner.username}`, {}],
      [`/posts/${slug}/comments`, {}],
      [`/users/${owner.username}/comments`, {}],
      [`/media?username=${owner.username}`, {}],
      [`/media?slugs=${picture.slug}`, as(owner)],
      ['/moderation/queue?limit=250', as(moderator)],
    ];
    /** The avatars that are shown beside this username, in all places. */
    const shown = async () => {
      const avatars = [];
      for (const [path, ask] of places) {
        const text = JSON.stringify((await get(path, ask)).body);
        const beside = `"username":"${owner.username}","avatar":`;
        expect([path, text.includes(beside)]).toEqual([path, true]);
        avatars.push(
          ...text
            .split(beside)
            .slice(1)
            .map((rest) => (rest.startsWith('null') ? null : 'picture')),
        );
      }
      return [...new Set(avatars)];
    };
    expect(await shown()).toEqual([null]);
    await ruleOn('media', picture.slug, 'approved');
    expect(await shown()).toEqual(['picture']);
    for (const status of ['nsfw', 'rejected', 'pending']) {
      await ruleOn('media', picture.slug, status);
      expect([status, await shown()]).toEqual([status, [null]]);
    }
    await ruleOn('media', picture.slug, 'approved');
    await api.gateway.ask('DELETE', `/media/${picture.slug}`, as(owner));
    places.splice(
      places.findIndex(([path]) => path.includes('slugs=')),
      1,
    );
    expect(await shown()).toEqual([null]);
  });

  it('a ruling must name the revision that the queue and the post show to moderators', async () => {
    const { slug } = await post([await storeMedia(api.database, owner)], { title: 'One' });
    await api.gateway.ask('POST', '/reports', as(stranger, { type: 'post', target: slug, reason: 'spam' }));
    const queued = async () => {
      const items = itemsOf(await get('/moderation/queue?limit=250', as(moderator)));
      const posts = items.map(({ post: item }) => item as { slug: string; revision: number } | undefined);
      return posts.find((item) => item?.slug === slug)?.revision;
    };
    const rule = (body: object) =>
      api.gateway.ask('POST', `/moderation/posts/${slug}`, as(moderator, { reason: 'seen', ...body }));
    expect(await queued()).toBe(1);
    await api.gateway.ask('PATCH', `/posts/${slug}`, as(owner, { title: 'Two' }));
    const stale = await rule({ status: 'approved', revision: 1 });
    expect([stale.status, stale.body]).toEqual([
      409,
      {
        message:
          'The post has changed since the revision that the ruling names. Read it again and rule on its new revision.',
      },
    ]);
    expect((await rule({ status: 'approved' })).body).toMatchObject({
      errors: { revision: ['The revision field is required.'] },
    });
    expect(await queued()).toBe(2);
    expect(dataOf(await get(`/posts/${slug}`, as(moderator)))).toMatchObject({ revision: 2 });
    for (const ask of [{}, as(stranger), as(owner)]) {
      expect(dataOf(await get(`/posts/${slug}`, ask))).not.toHaveProperty('revision');
    }
    expect((await rule({ status: 'approved', revision: 2 })).body).toMatchObject({ post: { revision: 2 } });
    expect(await queued()).toBeUndefined();
    await api.gateway.ask('PATCH', `/posts/${slug}`, as(owner, { description: 'Buy!' }));
    expect(await queued()).toBe(3);
    const log = itemsOf(await get(`/moderation/decisions?slug=${slug}`, as(moderator)));
    expect(log).toMatchObject([
      { reason: 'content_changed', decided_by: 'system', revision: 3 },
      { reason: 'moderator', decided_by: moderator.username, revision: 2 },
    ]);
  });
});
