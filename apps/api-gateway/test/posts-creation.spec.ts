import { storeMedia, type StoredMedia } from './stored';
import { dataOf, errorsOf, nameOf, usePosts } from './use-posts';

describe('creating posts over HTTP', () => {
  const posts = usePosts();
  const { media, post, patch, get, make } = posts;

  describe('POST /posts', () => {
    // Promise [content]: A post is created from media ids only, and is then public.
    it('creates a post from only media ids, which is then public', async () => {
      const [first, second] = (await media(2)) as [StoredMedia, StoredMedia];
      const { status, headers, body } = await post({ media_ids: [second.id, first.id] });
      expect(status).toBe(201);
      expect(body).toEqual({
        message: expect.any(String),
        post: {
          id: expect.any(Number),
          slug: expect.stringMatching(/^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/),
          visibility: 'public',
          page_url: expect.any(String),
        },
      });
      const { id, slug, page_url } = body['post'] as { id: number; slug: string; page_url: string };
      expect(headers.get('Location')).toBe(`https://api.example.org/api/v1/posts/${slug}`);
      expect(page_url).toBe(`https://example.org/p/${slug}`);
      expect((await patch(slug, { title: 'Harbour', description: 'At\ndawn' })).body).toEqual({
        message: expect.any(String),
        visibility: 'public',
      });
      const shown = await get(slug);
      expect(shown.status).toBe(200);
      expect(dataOf(shown)).toEqual({
        id,
        slug,
        title: 'Harbour',
        description: 'At\ndawn',
        score: 0,
        view_count: 0,
        media_count: 2,
        comment_count: 0,
        moderation_status: 'approved',
        pending_on: null,
        listed: true,
        isUpvotedByUser: false,
        isDownvotedByUser: false,
        tags: [],
        page_url,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        user: { username: posts.owner.username, avatar: null },
        media: [second, first].map((one) =>
          expect.objectContaining({
            id: one.id,
            slug: one.slug,
            moderation_status: 'approved',
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            urls: expect.objectContaining({ original: `https://cdn.example.org/f/${one.slug}.jpg` }),
            user: { username: posts.owner.username, avatar: null },
          }),
        ),
      });
    });

    // Promise [content]: A post can have title, description, visibility, tags and `is_nsfw` from the start.
    it('accepts all fields together', async () => {
      const made = await make(1, {
        title: 'Naïve 🙂',
        description: null,
        visibility: 'private',
        tags: ['Sea', 'sea', 'fog bank'],
        is_nsfw: true,
      });
      expect(made.access_key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(dataOf(await get(made.slug, { token: posts.token }))).toMatchObject({
        title: 'Naïve 🙂',
        description: null,
        visibility: 'private',
        access_key: made.access_key,
        tags: ['sea', 'fog bank'],
        moderation_status: 'nsfw',
      });
    });

    it('allows the same media in several posts', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      for (let times = 0; times < 2; times++) {
        expect((await post({ media_ids: [one.id] })).status).toBe(201);
      }
    });

    it('requires a token with the scope write', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      expect((await post({ media_ids: [one.id] }, {})).status).toBe(401);
      const readOnly = await posts.owner.mintToken({ scopes: ['read', 'upload'] });
      expect((await post({ media_ids: [one.id] }, { token: readOnly })).status).toBe(403);
    });

    const badPosts: [unknown, Record<string, string>][] = [
      [{}, { media_ids: 'The media_ids field is required.' }],
      [{ media_ids: null }, { media_ids: 'The media_ids field is required.' }],
      [{ media_ids: [] }, { media_ids: 'The media_ids field must have at least 1 items.' }],
      [{ media_ids: 7 }, { media_ids: 'The media_ids field must be an array.' }],
      [{ media_ids: { 0: 1 } }, { media_ids: 'The media_ids field must be an array.' }],
      [
        { media_ids: Array.from({ length: 51 }, (_, place) => place + 1) },
        { media_ids: 'The media_ids field must not have more than 50 items.' },
      ],
      [{ media_ids: [5, 6, 5] }, { 'media_ids.2': 'The media_ids.2 field has a duplicate value.' }],
      [{ media_ids: ['cat'] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [1.5] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [1e300] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [{ media_ids: [[1]] }, { 'media_ids.0': 'The media_ids.0 field must be an integer.' }],
      [
        { media_ids: [Number.MAX_SAFE_INTEGER, -3] },
        {
          'media_ids.0': 'The selected media_ids.0 is invalid.',
          'media_ids.1': 'The selected media_ids.1 is invalid.',
        },
      ],
      [
        { media_ids: [1], title: 'x'.repeat(256) },
        { title: 'The title field must not be greater than 255 characters.' },
      ],
      [
        { media_ids: [1], title: 'a\u0000b' },
        { title: 'The title field must not contain control characters.' },
      ],
      [{ media_ids: [1], visibility: 'secret' }, { visibility: 'The selected visibility is invalid.' }],
      [{ media_ids: [1], is_nsfw: 'maybe' }, { is_nsfw: 'The is_nsfw field must be true or false.' }],
      [
        { media_ids: [1], tags: ['a/b'] },
        {
          'tags.0': 'The tags.0 field must only contain letters, numbers, dashes, underscores and spaces.',
        },
      ],
    ];
    // Promise [content]: Invalid fields of a post give 422; a title has at most 255 characters.
    it.each(badPosts.map((row) => [nameOf(row[0]), ...row] as const))(
      'refuses %s',
      async (_, body, errors) => {
        const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
        expect(errorsOf(await post(body))).toEqual([422, listed]);
      },
    );

    // Promise [content]: Media of other users and unknown ids give the same error.
    it('gives the same error for other users’ media and unknown ids', async () => {
      const foreign = await storeMedia(posts.database, posts.stranger);
      const guests = await storeMedia(posts.database, null);
      const [own] = (await media(1)) as [StoredMedia];
      const answer = await post({ media_ids: [foreign.id, own.id, 987_654, guests.id] });
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({
        message: 'The selected media_ids.0 is invalid. (and 2 more errors)',
        errors: {
          'media_ids.0': ['The selected media_ids.0 is invalid.'],
          'media_ids.2': ['The selected media_ids.2 is invalid.'],
          'media_ids.3': ['The selected media_ids.3 is invalid.'],
        },
      });
    });

    // Promise [requests]: Fields that the caller may not set are ignored.
    it('ignores fields that the caller may not set', async () => {
      const made = await make(1, {
        id: 1,
        slug: 'chosen1',
        score: 99,
        view_count: 99,
        comment_count: 99,
        media_count: 99,
        user_id: posts.stranger.id,
        moderation_status: 'rejected',
        moderator_status: 'approved',
        listing: 'nsfw',
        access_key: 'a'.repeat(32),
        created_at: '2001-01-01T00:00:00Z',
        constructor: { prototype: { isAdmin: true } },
      });
      expect(made.slug).not.toBe('chosen1');
      expect(dataOf(await get(made.slug, { token: posts.token }))).toMatchObject({
        score: 0,
        view_count: 0,
        comment_count: 0,
        media_count: 1,
        moderation_status: 'approved',
        user: { username: posts.owner.username },
        access_key: null,
      });
    });

    it('returns the same post for the same idempotency key', async () => {
      const [one] = (await media(1)) as [StoredMedia];
      const ask = { token: posts.token, headers: { 'Idempotency-Key': `make-${one.slug}` } };
      const first = await post({ media_ids: [one.id] }, ask);
      const second = await post({ media_ids: [one.id] }, ask);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('Location')).toBe(first.headers.get('Location'));
    });
  });
});
