import type { Answer } from './gateway';
import { type Person } from './people';
import { hex, type Item, useModeration } from './use-moderation';

describe('/moderation rulings', () => {
  const setup = useModeration();
  const { asModerator, rule, list, addMedia, makePost, report } = setup;

  describe('rulings on media', () => {
    // Promise [moderation]: A rejection removes an item from all lists and pages, and an approval restores
    // it.
    it('remove a media item from all lists and pages, and restore it', async () => {
      const media = await addMedia({ title: 'Lighthouse' });
      const post = await makePost([media]);
      const asked = (path: string, person?: Person): Promise<Answer> =>
        setup.gateway.ask('GET', path, person && { token: person.session });
      const inFeed = async (path: string, slug: string): Promise<boolean> =>
        ((await asked(path)).body['data'] as Item[]).some((item) => item['slug'] === slug);
      const seen = async (): Promise<unknown[]> => [
        await inFeed('/media?limit=250', media.slug),
        await inFeed('/media?q=lighthouse', media.slug),
        await inFeed(`/media?username=${setup.author.username}&limit=250`, media.slug),
        await inFeed(`/users/${setup.author.username}/media?limit=250`, media.slug),
        await inFeed('/posts?limit=250', post.slug),
        (await asked(`/media/${media.slug}`, setup.stranger)).status,
        (await asked(`/posts/${post.slug}`)).status,
      ];
      expect(await seen()).toEqual([true, true, true, true, true, 200, 200]);

      const rejected = await rule(`/media/${media.slug}`, 'rejected');
      expect(rejected).toMatchObject({
        status: 200,
        body: { message: 'Media moderated.', media: { slug: media.slug, moderation_status: 'rejected' } },
      });
      expect(await seen()).toEqual([false, false, false, false, false, 404, 404]);
      expect((await asked(`/media/${media.slug}`, setup.author)).status).toBe(200);
      expect((await asked(`/posts/${post.slug}`, setup.moderator)).status).toBe(200);

      expect((await rule(`/media/${media.slug}`, 'approved')).status).toBe(200);
      expect(await seen()).toEqual([true, true, true, true, true, 200, 200]);
      expect(await list(`/decisions?type=media&slug=${media.slug}`)).toMatchObject([
        { from: 'rejected', to: 'approved', reason: 'moderator', note: 'It is approved.' },
        { from: 'approved', to: 'rejected', decided_by: setup.moderator.username, scores: null },
      ]);
    });

    it('ban the file only together with a rejection', async () => {
      const media = await addMedia();
      const before = (await asModerator('GET', '/hashes')).body['meta'] as { total: number };
      expect((await rule(`/media/${media.slug}`, 'nsfw', { ban: true })).body['errors']).toEqual({
        ban: ['The ban field must be false unless status is rejected.'],
      });
      expect((await rule(`/media/${media.slug}`, 'rejected')).body['banned_hashes']).toEqual([]);
      const banned = await rule(`/media/${media.slug}`, 'rejected', { ban: true });
      const hashes = await list('/hashes?limit=2');
      // Received and stored bytes.
      expect(hashes).toMatchObject([
        { kind: 'sha256', reason: 'It is rejected.', created_by: setup.moderator.username },
        { kind: 'sha256', created_by: setup.moderator.username },
      ]);
      expect((await asModerator('GET', '/hashes')).body['meta']).toMatchObject({ total: before.total + 2 });
      expect([banned.status, banned.body['banned_hashes']]).toEqual([200, [...hashes].reverse()]);
    });

    it('return the bans that they added, so that undoing lifts only these', async () => {
      const known = hex();
      await asModerator('POST', '/hashes', { hash: known, reason: 'Known' });
      const media = [await addMedia(), await addMedia()];
      for (const [index, received] of [known, hex()].entries()) {
        await setup.database.query(
          `update media set received_sha256 = decode($1, 'hex'), stored_sha256 = decode($2, 'hex') where id = $3`,
          [received, hex(), media[index]?.id],
        );
      }
      const total = async (): Promise<unknown> => (await asModerator('GET', '/hashes')).body['meta'];
      const before = await total();
      const post = await makePost(media);
      const { body } = await rule(`/posts/${post.slug}`, 'rejected', { ban: true });
      const added = body['banned_hashes'] as { id: number; hash: string }[];
      expect(added).toHaveLength(3);
      expect(added.map(({ hash }) => hash)).not.toContain(known);
      expect((await rule(`/posts/${post.slug}`, 'rejected', { ban: true })).body['banned_hashes']).toEqual(
        [],
      );
      for (const { id } of added) expect((await asModerator('DELETE', `/hashes/${id}`)).status).toBe(200);
      expect(await total()).toEqual(before);
    });

    it.each([
      [{}, ['status', 'reason']],
      [{ status: 'undecided', reason: 'x' }, ['status']],
      [{ status: 'pending' }, ['reason']],
      [{ status: 'pending', reason: 'x', ban: true }, ['ban']],
      [{ status: 'approved', reason: '' }, ['reason']],
      [{ status: 'approved', reason: 'x'.repeat(1001) }, ['reason']],
      [{ status: 'approved', reason: 'a\u0000b' }, ['reason']],
      [{ status: 'approved', reason: 'x', ban: 'maybe' }, ['ban']],
      [{ status: ['approved'], reason: { a: 1 } }, ['status', 'reason']],
    ])('refuse %j', async (body, fields) => {
      const media = await addMedia();
      const post = await makePost([media]);
      for (const path of [`/media/${media.slug}`, `/posts/${post.slug}`]) {
        const answer = await asModerator('POST', path, body);
        expect(answer.status).toBe(422);
        expect(Object.keys(answer.body['errors'] as object)).toEqual(fields);
      }
    });

    it.each(['/media/nothere', '/media/17', '/media/a%00b', '/posts/nothere', '/posts/99999999999999999999'])(
      'answer 404 for the id %s',
      async (path) => expect((await rule(path, 'approved')).status).toBe(404),
    );
  });

  describe('rulings of pending', () => {
    // Promise [moderation]: `pending` withdraws a ruling, and opens its reports again.
    it('withdraw a ruling: files and pages are served again, the item waits in the queue, its reports are open', async () => {
      const media = await addMedia({ title: 'Harbour' });
      const post = await makePost([media]);
      await report('media', media.slug);
      await report('post', post.slug);
      const waiting = async (): Promise<Item[]> =>
        (await list('/queue')).filter(({ media: one, post: other }) =>
          [media.slug, post.slug].includes(((one ?? other ?? {}) as { slug: string }).slug),
        );
      const seen = async (): Promise<unknown[]> => [
        (await setup.gateway.ask('GET', `/media/${media.slug}`)).status,
        (await setup.gateway.ask('GET', `/posts/${post.slug}`)).status,
        ((await setup.gateway.ask('GET', '/posts?limit=250')).body['data'] as Item[]).some(
          ({ slug }) => slug === post.slug,
        ),
      ];
      const before = await waiting();
      expect(before).toHaveLength(2);
      await rule(`/media/${media.slug}`, 'rejected');
      await rule(`/posts/${post.slug}`, 'rejected');
      expect([await seen(), await waiting()]).toEqual([[404, 404, false], []]);

      expect(await rule(`/media/${media.slug}`, 'pending')).toMatchObject({
        status: 200,
        body: { media: { slug: media.slug, moderation_status: 'pending' }, banned_hashes: [] },
      });
      expect((await rule(`/posts/${post.slug}`, 'pending')).body).toMatchObject({
        message: 'Post moderated.',
        post: { id: post.id, moderation_status: 'pending' },
        banned_hashes: [],
      });
      expect(await seen()).toEqual([200, 200, false]);
      expect(await waiting()).toMatchObject([
        { type: 'media', reports: 1, reasons: ['moderator', 'abuse'], scores: null },
        { type: 'post', reports: 1, reasons: ['abuse'] },
      ]);
      expect(await list(`/decisions?slug=${post.slug}`)).toMatchObject([
        { from: 'rejected', to: 'pending', reason: 'moderator', decided_by: setup.moderator.username },
        { to: 'rejected' },
      ]);
      await rule(`/media/${media.slug}`, 'approved');
      expect(await seen()).toEqual([200, 200, true]);
      await asModerator('DELETE', `/reports/post/${post.slug}`);
    });

    it('require a moderator', async () => {
      const media = await addMedia();
      const post = await makePost([media]);
      const body = { status: 'pending', reason: 'Mine.' };
      for (const path of [`/moderation/media/${media.slug}`, `/moderation/posts/${post.slug}`]) {
        for (const token of [
          setup.author.session,
          setup.stranger.session,
          await setup.moderator.mintToken({ scopes: ['read'] }),
        ]) {
          expect((await setup.gateway.ask('POST', path, { token, body })).status).toBe(403);
        }
      }
      expect(await list(`/decisions?slug=${media.slug}`)).toEqual([]);
    });
  });

  describe('rulings on posts', () => {
    it('override the owner, who may only raise the status', async () => {
      const post = await makePost([await addMedia()]);
      const mark = (isNsfw: boolean): Promise<Answer> =>
        setup.gateway.ask('PATCH', `/posts/${post.slug}`, {
          token: setup.author.session,
          body: { is_nsfw: isNsfw },
        });
      const statusNow = async (): Promise<unknown> =>
        (await setup.gateway.ask('GET', `/posts/${post.slug}`, { token: setup.author.session })).body['data'];
      await mark(true);
      expect((await rule(`/posts/${post.slug}`, 'approved')).body).toMatchObject({
        message: 'Post moderated.',
        post: { id: post.id, moderation_status: 'approved' },
      });
      await mark(true);
      expect(await statusNow()).toMatchObject({ moderation_status: 'nsfw' });
      await rule(`/posts/${post.id}`, 'nsfw');
      await mark(false);
      expect(await statusNow()).toMatchObject({ moderation_status: 'nsfw' });
      await rule(`/posts/${post.slug}`, 'rejected');
      expect((await mark(false)).status).toBe(403);
      expect((await setup.gateway.ask('GET', `/posts/${post.slug}`)).status).toBe(404);
      const decisions = [...(await list(`/decisions?type=post&slug=${post.slug}&limit=250`))].reverse();
      expect(decisions.map(({ from, to, decided_by: by }) => [from, to, by])).toEqual([
        ['approved', 'nsfw', setup.author.username],
        ['nsfw', 'approved', setup.moderator.username],
        ['approved', 'nsfw', setup.author.username],
        ['nsfw', 'nsfw', setup.moderator.username],
        ['nsfw', 'rejected', setup.moderator.username],
      ]);
    });

    it('with a ban also reject the media', async () => {
      const media = [await addMedia(), await addMedia()];
      const post = await makePost(media);
      expect((await rule(`/posts/${post.slug}`, 'rejected', { ban: true })).status).toBe(200);
      for (const { slug } of media) {
        expect((await setup.gateway.ask('GET', `/media/${slug}`)).status).toBe(404);
        expect(await list(`/decisions?slug=${slug}`)).toMatchObject([{ type: 'media', to: 'rejected' }]);
      }
    });
  });
});
