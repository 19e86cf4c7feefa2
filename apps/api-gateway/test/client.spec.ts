import { VitrineClient } from '@vitrine/client';
import { borrowStack, type Stack } from '@vitrine/testing';
import sharp from 'sharp';
import { PASSWORD } from './gateway';

// Uses the public client with both hosts, as its README describes.

describe('@vitrine/client', () => {
  let stack: Stack;
  let anonymous: VitrineClient;
  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service', 'website'] });
    anonymous = stack.client();
  });
  afterAll(() => stack?.close());

  /** Registers an account and returns a client with an API token of it. */
  const signUp = async (username: string): Promise<VitrineClient> => {
    const { session } = await anonymous.auth.register({ username, password: PASSWORD });
    const { token } = await anonymous
      .withToken(session)
      .tokens.create({ name: 'test', current_password: PASSWORD });
    return anonymous.withToken(token);
  };

  const picture = async (background: string): Promise<File> => {
    const png = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .png()
      .toBuffer();
    return new File([Uint8Array.from(png)], 'harbour "1".png');
  };

  it('uploads a picture, posts it, comments and votes on it, and deletes everything', async () => {
    const [ada, bob] = [await signUp('ada'), await signUp('bob')];

    const progress: number[] = [];
    const media = await ada.media.upload(await picture('#20639b'), {
      onProgress: ({ sent, total }) => progress.push(sent / (total ?? NaN)),
    });
    expect(media).toMatchObject({ type: 'image/png', width: 64, height: 48, user: { username: 'ada' } });
    expect(progress.at(-1)).toBe(1);
    const second = await ada.media.upload(await picture('#d7352a'));

    const made = await ada.posts.create({ media_ids: [media.id], title: 'Evening', tags: ['harbour'] });
    await ada.posts.addMedia(made.slug, [second.id]);
    const slugs: string[] = [];
    for await (const { slug } of ada.posts.iterateMedia(made.slug, { perPage: 1 })) slugs.push(slug);
    expect(slugs).toEqual([media.slug, second.slug]);

    const remark = await bob.comments.create(made.slug, { content: 'Lovely.' });
    const reply = await ada.comments.create(made.id, { content: 'Thank you.', parent_id: remark.id });
    const said: Array<[string, number | null]> = [];
    for await (const { content, parent_id } of anonymous.comments.on(made.slug).iterate({ limit: 1 })) {
      said.push([content, parent_id]);
    }
    expect(said).toEqual([
      ['Lovely.', null],
      ['Thank you.', remark.id],
    ]);

    expect((await bob.posts.upvote(made.slug)).score).toBe(1);
    expect((await bob.posts.downvote(made.slug)).score).toBe(-1);
    expect((await bob.comments.upvote(reply.id)).score).toBe(1);
    await bob.users.follow('ada');
    expect(await bob.users.get('ada')).toMatchObject({ follower_count: 1, isFollowedByUser: true });
    expect((await anonymous.users.followers('ada').list()).data).toMatchObject([{ username: 'bob' }]);
    expect(await bob.posts.get(made.slug)).toMatchObject({
      title: 'Evening',
      score: -1,
      comment_count: 2,
      isDownvotedByUser: true,
      media_count: 2,
    });

    await ada.comments.delete(reply.id);
    await ada.posts.delete(made.slug);
    await expect(anonymous.posts.get(made.slug)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await ada.media.delete(media.slug);
    await expect(ada.media.get(media.slug)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('iterates over lists, and opens private posts with their key', async () => {
    const carol = await signUp('carol');
    const media = await carol.media.upload(await picture('#f2b134'));
    for (let i = 1; i <= 5; i++) await carol.posts.create({ media_ids: [media.id], title: `no. ${i}` });
    const titles: Array<string | null> = [];
    for await (const post of carol.users.posts('carol').iterate({ limit: 2 })) titles.push(post.title);
    expect(titles).toEqual(['no. 5', 'no. 4', 'no. 3', 'no. 2', 'no. 1']);
    const pages: number[] = [];
    for await (const { data, meta } of carol.users.posts('carol').pages({ limit: 2 })) {
      pages.push(data.length);
      expect(meta.total).toBe(5);
    }
    expect(pages).toEqual([2, 2, 1]);

    const { slug } = await carol.posts.create({ media_ids: [media.id] });
    const { access_key: key } = await carol.posts.update(slug, { visibility: 'private' });
    await expect(anonymous.posts.get(slug)).rejects.toMatchObject({ code: 'not_found' });
    expect(await anonymous.posts.get(slug, { key })).toMatchObject({ slug, media: [{ slug: media.slug }] });
    const { access_key: newKey } = await carol.posts.update(slug, { new_access_key: true });
    await expect(anonymous.posts.get(slug, { key })).rejects.toMatchObject({ code: 'not_found' });
    await anonymous.posts.get(slug, { key: newKey });
    const dave = await signUp('dave');
    expect((await dave.posts.upvote(slug, { key: newKey })).score).toBe(1);
  });

  it('casts a vote once even if its answers are lost', async () => {
    const erin = await signUp('erin');
    const media = await erin.media.upload(await picture('#1d1d1d'));
    const { slug } = await erin.posts.create({ media_ids: [media.id] });
    const { session } = await anonymous.auth.login({ login: 'erin', password: PASSWORD });
    let answers = 0;
    const unlucky = new VitrineClient({
      baseUrl: stack.apiUrl,
      token: session,
      retry: { baseDelayMs: 1 },
      fetch: async (...request) => {
        const response = await fetch(...request);
        if (++answers < 3) throw new TypeError('The answer was lost on its way.');
        return response;
      },
    });
    expect(await unlucky.posts.upvote(slug)).toMatchObject({ score: 1 });
    expect(answers).toBe(3);
    expect(await erin.posts.get(slug)).toMatchObject({ score: 1, isUpvotedByUser: true });
  });

  it('throws a different error for each kind of refusal', async () => {
    const frank = await signUp('frank');
    await expect(frank.posts.create({ media_ids: [1] })).rejects.toMatchObject({
      code: 'invalid',
      errors: { 'media_ids.0': ['The selected media_ids.0 is invalid.'] },
    });
    await expect(frank.media.upload(new Blob(['no picture']))).rejects.toMatchObject({
      code: 'invalid',
      errors: { file: [expect.any(String)] },
    });
    await expect(anonymous.media.upload(await picture('#fff'))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expect(frank.tokens.list()).rejects.toMatchObject({
      code: 'forbidden',
      requestId: expect.any(String),
    });
    // The server refuses this request before it reads the body; the answer must still arrive.
    const large = new Blob([new Uint8Array(8 << 20)]);
    await expect(anonymous.media.upload(large)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
