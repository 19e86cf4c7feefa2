import { withinSeconds } from '@vitrine/testing';
import { createPerson } from './people';
import { hex, type Item, useModeration } from './use-moderation';

describe('/moderation', () => {
  const setup = useModeration();
  const { asModerator, rule, list, addMedia, makePost, report } = setup;

  const READS = ['/queue', '/hashes', '/decisions'];
  const CHANGES = [
    ['POST', '/media/nothere'],
    ['POST', '/posts/nothere'],
    ['POST', '/hashes'],
    ['DELETE', '/hashes/1'],
    ['DELETE', '/reports/user/nobody_here'],
  ] as const;

  // Promise [moderation]: Moderation needs a moderator’s session, or their token with the scope `moderate`.
  it('requires a moderator’s or admin’s session, or their token with the scope moderate', async () => {
    const admin = await createPerson(setup.database, { role: 'admin' });
    const status = async (method: string, path: string, token?: string): Promise<number> =>
      (
        await setup.gateway.ask(method, `/moderation${path}`, {
          ...(token !== undefined && { token }),
          ...(method === 'POST' && { body: {} }),
        })
      ).status;
    const readOnly = await setup.moderator.mintToken({ scopes: ['read', 'moderate'] });
    const writeOnly = await setup.moderator.mintToken({ scopes: ['write', 'moderate'] });
    const plain = await setup.moderator.mintToken();
    const everything = await setup.author.mintToken();
    for (const path of READS) {
      expect(await status('GET', path)).toBe(401);
      for (const token of [setup.author.session, everything, plain, writeOnly]) {
        expect(await status('GET', path, token)).toBe(403);
      }
      for (const token of [setup.moderator.session, admin.session, readOnly]) {
        expect(await status('GET', path, token)).toBe(200);
      }
    }
    for (const [method, path] of CHANGES) {
      expect(await status(method, path)).toBe(401);
      for (const token of [setup.author.session, everything, plain, readOnly]) {
        expect(await status(method, path, token)).toBe(403);
      }
      for (const token of [setup.moderator.session, admin.session, writeOnly]) {
        expect([404, 422]).toContain(await status(method, path, token));
      }
    }
  });

  it('refuses a former moderator within a second', async () => {
    const demoted = await createPerson(setup.database, { role: 'moderator' });
    const status = async (): Promise<number> =>
      (await setup.gateway.ask('GET', '/moderation/queue', { token: demoted.session })).status;
    expect(await status()).toBe(200);
    await setup.database.query(`update users set role = 'user' where id = $1`, [demoted.id]);
    await withinSeconds(1, async () => expect(await status()).toBe(403));
  });

  describe('the queue', () => {
    // Promise [moderation]: Reported items stay in the queue until they are handled.
    it('lists reported items, oldest first, until they are handled', async () => {
      const media = await addMedia();
      const post = await makePost([await addMedia()]);
      const { body } = await setup.gateway.ask('POST', `/posts/${post.slug}/comments`, {
        token: setup.stranger.session,
        body: { content: 'Buy watches' },
      });
      const comment = (body['comment'] as { id: number }).id;
      await report('media', media.slug);
      await report('post', post.slug);
      await report('comment', comment, setup.author);
      await report('user', setup.stranger.username, setup.author);
      await report('media', media.slug, setup.author);
      expect(await list('/queue')).toMatchObject([
        {
          type: 'media',
          media: { slug: media.slug, user: { username: setup.author.username } },
          scores: null,
          reasons: ['abuse'],
          reports: 2,
          latest_reports: [
            { reporter: setup.author.username },
            { reporter: setup.stranger.username, details: 'Look' },
          ],
        },
        { type: 'post', post: { slug: post.slug, first_media: { type: 'image/jpeg' } }, reports: 1 },
        { type: 'comment', comment: { id: comment, content: 'Buy watches', post: { slug: post.slug } } },
        { type: 'user', user: { username: setup.stranger.username, avatar: null } },
      ]);
      const key = 'k'.repeat(32);
      await setup.database.query(`update posts set visibility = 'private', access_key = $2 where slug = $1`, [
        post.slug,
        key,
      ]);
      expect(JSON.stringify(await list('/queue'))).not.toContain(key);
      const last = (await asModerator('GET', '/queue?limit=3&page=2')).body;
      expect(last).toMatchObject({
        data: [{ type: 'user' }],
        links: { next: null, prev: expect.stringContaining('limit=3&page=1') },
        meta: { total: 4, from: 4, to: 4, last_page: 2 },
      });

      await rule(`/media/${media.slug}`, 'approved');
      await rule(`/posts/${post.slug}`, 'nsfw');
      await setup.gateway.ask('DELETE', `/comments/${comment}`, { token: setup.moderator.session });
      expect((await list('/queue')).map(({ type }) => type)).toEqual(['user']);
      expect(await asModerator('DELETE', `/reports/user/${setup.stranger.username}`)).toMatchObject({
        status: 200,
        body: { message: 'Reports closed.' },
      });
      expect((await asModerator('DELETE', `/reports/user/${setup.stranger.username}`)).status).toBe(404);
      expect((await asModerator('DELETE', `/reports/tag/x`)).status).toBe(404);
      expect(await list('/queue')).toEqual([]);
    });

    it.each(['limit=0', 'limit=251', 'page=0', 'page=x'])('refuses %s', async (query) => {
      for (const path of READS) expect((await asModerator('GET', `${path}?${query}`)).status).toBe(422);
    });
  });

  describe('banned hashes', () => {
    // Promise [moderation]: Banned hashes are listed, added and lifted.
    it('are added once, listed newest first, and lifted', async () => {
      const [file, picture] = [hex(), hex()];
      const first = await asModerator('POST', '/hashes', { hash: file.toUpperCase(), reason: 'Known' });
      expect(first).toMatchObject({
        status: 201,
        body: {
          message: 'Hash banned.',
          banned_hash: { kind: 'sha256', hash: file, reason: 'Known', created_by: setup.moderator.username },
        },
      });
      const second = await asModerator('POST', '/hashes', { hash: picture, kind: 'pdq', reason: 'Copied' });
      const again = await asModerator('POST', '/hashes', { hash: file, kind: 'sha256', reason: 'Otherwise' });
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
      const entries = [second, first].map(({ body }) => body['banned_hash'] as Item);
      expect(await list('/hashes?limit=2')).toEqual(entries);
      const path = first.headers.get('Location')!.split('/moderation')[1]!;
      expect((await asModerator('GET', path)).body).toEqual({ data: first.body['banned_hash'] });
      for (const { id } of entries) {
        expect((await asModerator('DELETE', `/hashes/${String(id)}`)).status).toBe(200);
        expect((await asModerator('DELETE', `/hashes/${String(id)}`)).status).toBe(404);
      }
      expect((await asModerator('GET', path)).status).toBe(404);
    });

    it('do not change hosted media', async () => {
      const media = await addMedia();
      const { rows } = await setup.database.query<{ hash: string }>(
        `select encode(received_sha256, 'hex') as hash from media where id = $1`,
        [media.id],
      );
      expect((await asModerator('POST', '/hashes', { hash: rows[0]?.hash, reason: 'Late' })).status).toBe(
        201,
      );
      expect((await setup.gateway.ask('GET', `/media/${media.slug}`)).status).toBe(200);
    });

    it.each([
      [{}, ['hash', 'reason']],
      [{ hash: 'abc', reason: 'x' }, ['hash']],
      [{ hash: `${'a'.repeat(63)}g`, reason: 'x' }, ['hash']],
      [{ hash: `${'a'.repeat(64)}\n`, reason: 'x' }, ['hash']],
      [{ hash: 'a'.repeat(64), kind: 'md5', reason: 'x' }, ['kind']],
      [{ hash: 17, reason: 'x' }, ['hash']],
      [{ hash: 'a'.repeat(64), reason: null }, ['reason']],
    ])('refuse %j', async (body, fields) => {
      const answer = await asModerator('POST', '/hashes', body);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body['errors'] as object)).toEqual(fields);
    });

    it.each(['0', 'x', '99999999999999999999', '-1'])('know no %s', async (id) =>
      expect((await asModerator('DELETE', `/hashes/${id}`)).status).toBe(404),
    );
  });

  describe('decisions', () => {
    it('are listed newest first, and filtered by subject', async () => {
      const media = await addMedia();
      const post = await makePost([media]);
      await rule(`/media/${media.slug}`, 'nsfw');
      await rule(`/posts/${post.slug}`, 'rejected');
      await rule(`/media/${media.slug}`, 'approved');
      expect(await list('/decisions?limit=3')).toMatchObject([
        { type: 'media', slug: media.slug, from: 'nsfw', to: 'approved' },
        { type: 'post', slug: post.slug, from: 'nsfw', to: 'rejected' },
        { type: 'media', slug: media.slug, from: 'approved', to: 'nsfw' },
      ]);
      expect(
        (await asModerator('GET', `/decisions?type=media&slug=${media.slug}&limit=1`)).body,
      ).toMatchObject({
        data: [{ to: 'approved' }],
        links: { next: expect.stringContaining(`type=media&slug=${media.slug}&limit=1&page=2`) },
        meta: { total: 2 },
      });
      expect(await list('/decisions?slug=nothere')).toEqual([]);
      expect((await list('/decisions?slug=&limit=3')).length).toBe(3);
      expect((await asModerator('GET', '/decisions?type=robot')).status).toBe(422);
      expect((await asModerator('GET', '/decisions?slug=%00')).status).toBe(422);
    });
  });
});
