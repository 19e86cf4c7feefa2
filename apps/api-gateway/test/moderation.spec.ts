import { randomBytes } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { Client } from 'pg';
import { type Answer, type Gateway, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { type MediaFields, storeMedia, type StoredMedia } from './stored';

type Item = Readonly<Record<string, unknown>>;

describe('/moderation', () => {
  let gateway: Gateway;
  let database: Client;
  let author: Person;
  let stranger: Person;
  let moderator: Person;

  beforeAll(async () => {
    gateway = await startGateway();
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    author = await createPerson(database);
    stranger = await createPerson(database);
    moderator = await createPerson(database, { role: 'moderator' });
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const asModerator = (method: string, path: string, body?: unknown): Promise<Answer> =>
    gateway.ask(method, `/moderation${path}`, {
      token: moderator.session,
      ...(body !== undefined && { body }),
    });
  const rule = (path: string, status: string, more: object = {}): Promise<Answer> =>
    asModerator('POST', path, { status, reason: `It is ${status}.`, ...more });
  const list = async (path: string): Promise<Item[]> =>
    (await asModerator('GET', path)).body['data'] as Item[];
  const addMedia = (fields?: MediaFields): Promise<StoredMedia> => storeMedia(database, author, fields);
  const hex = (): string => randomBytes(32).toString('hex');

  async function makePost(media: readonly StoredMedia[]): Promise<{ slug: string; id: number }> {
    const { body } = await gateway.ask('POST', '/posts', {
      token: author.session,
      body: { media_ids: media.map(({ id }) => id) },
    });
    return body['post'] as { slug: string; id: number };
  }

  const report = (type: string, target: string | number, by = stranger): Promise<Answer> =>
    gateway.ask('POST', '/reports', {
      token: by.session,
      body: { type, target, reason: 'abuse', details: 'Look' },
    });

  const READS = ['/queue', '/hashes', '/decisions'];
  const CHANGES = [
    ['POST', '/media/nothere'],
    ['POST', '/posts/nothere'],
    ['POST', '/hashes'],
    ['DELETE', '/hashes/1'],
    ['DELETE', '/reports/user/nobody_here'],
  ] as const;

  it('is for moderators and admins alone, by session or by token of the right scope', async () => {
    const admin = await createPerson(database, { role: 'admin' });
    const status = async (method: string, path: string, token?: string): Promise<number> =>
      (
        await gateway.ask(method, `/moderation${path}`, {
          ...(token !== undefined && { token }),
          ...(method === 'POST' && { body: {} }),
        })
      ).status;
    const readOnly = await moderator.mintToken({ scopes: ['read', 'moderate'] });
    const writeOnly = await moderator.mintToken({ scopes: ['write', 'moderate'] });
    const plain = await moderator.mintToken();
    const everything = await author.mintToken();
    for (const path of READS) {
      expect(await status('GET', path)).toBe(401);
      for (const token of [author.session, everything, plain, writeOnly]) {
        expect(await status('GET', path, token)).toBe(403);
      }
      for (const token of [moderator.session, admin.session, readOnly]) {
        expect(await status('GET', path, token)).toBe(200);
      }
    }
    for (const [method, path] of CHANGES) {
      expect(await status(method, path)).toBe(401);
      for (const token of [author.session, everything, plain, readOnly]) {
        expect(await status(method, path, token)).toBe(403);
      }
      for (const token of [moderator.session, admin.session, writeOnly]) {
        expect([404, 422]).toContain(await status(method, path, token));
      }
    }
  });

  it('is closed within a second to who is no moderator any more', async () => {
    const demoted = await createPerson(database, { role: 'moderator' });
    const status = async (): Promise<number> =>
      (await gateway.ask('GET', '/moderation/queue', { token: demoted.session })).status;
    expect(await status()).toBe(200);
    await database.query(`update users set role = 'user' where id = $1`, [demoted.id]);
    await eventually(async () => expect(await status()).toBe(403), 1000);
  });

  describe('rulings on media', () => {
    it('take a media off every place where others find it, and bring it back', async () => {
      const media = await addMedia({ title: 'Lighthouse' });
      const post = await makePost([media]);
      const asked = (path: string, person?: Person): Promise<Answer> =>
        gateway.ask('GET', path, person && { token: person.session });
      const inFeed = async (path: string, slug: string): Promise<boolean> =>
        ((await asked(path)).body['data'] as Item[]).some((item) => item['slug'] === slug);
      const seen = async (): Promise<unknown[]> => [
        await inFeed('/media?limit=250', media.slug),
        await inFeed('/media?q=lighthouse', media.slug),
        await inFeed(`/media?username=${author.username}&limit=250`, media.slug),
        await inFeed(`/users/${author.username}/media?limit=250`, media.slug),
        await inFeed('/posts?limit=250', post.slug),
        (await asked(`/media/${media.slug}`, stranger)).status,
        (await asked(`/posts/${post.slug}`)).status,
      ];
      expect(await seen()).toEqual([true, true, true, true, true, 200, 200]);

      const rejected = await rule(`/media/${media.slug}`, 'rejected');
      expect(rejected).toMatchObject({
        status: 200,
        body: { message: 'Media moderated.', media: { slug: media.slug, moderation_status: 'rejected' } },
      });
      expect(await seen()).toEqual([false, false, false, false, false, 404, 404]);
      expect((await asked(`/media/${media.slug}`, author)).status).toBe(200);
      expect((await asked(`/posts/${post.slug}`, moderator)).status).toBe(200);

      expect((await rule(`/media/${media.slug}`, 'approved')).status).toBe(200);
      expect(await seen()).toEqual([true, true, true, true, true, 200, 200]);
      expect(await list(`/decisions?type=media&slug=${media.slug}`)).toMatchObject([
        { from: 'rejected', to: 'approved', reason: 'moderator', note: 'It is approved.' },
        { from: 'approved', to: 'rejected', decided_by: moderator.username, scores: null },
      ]);
    });

    it('ban the file with a rejection, and with nothing else', async () => {
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
        { kind: 'sha256', reason: 'It is rejected.', created_by: moderator.username },
        { kind: 'sha256', created_by: moderator.username },
      ]);
      expect((await asModerator('GET', '/hashes')).body['meta']).toMatchObject({ total: before.total + 2 });
      expect([banned.status, banned.body['banned_hashes']]).toEqual([200, [...hashes].reverse()]);
    });

    it('tell which bans they added, so that undoing them lifts these and no others', async () => {
      const known = hex();
      await asModerator('POST', '/hashes', { hash: known, reason: 'Known' });
      const media = [await addMedia(), await addMedia()];
      for (const [index, received] of [known, hex()].entries()) {
        await database.query(
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
      'know no %s',
      async (path) => expect((await rule(path, 'approved')).status).toBe(404),
    );
  });

  describe('rulings of pending', () => {
    it('take a ruling back: files and pages return, it waits again, and its reports are open', async () => {
      const media = await addMedia({ title: 'Harbour' });
      const post = await makePost([media]);
      await report('media', media.slug);
      await report('post', post.slug);
      const waiting = async (): Promise<Item[]> =>
        (await list('/queue')).filter(({ media: one, post: other }) =>
          [media.slug, post.slug].includes(((one ?? other ?? {}) as { slug: string }).slug),
        );
      const seen = async (): Promise<unknown[]> => [
        (await gateway.ask('GET', `/media/${media.slug}`)).status,
        (await gateway.ask('GET', `/posts/${post.slug}`)).status,
        ((await gateway.ask('GET', '/posts?limit=250')).body['data'] as Item[]).some(
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
        { from: 'rejected', to: 'pending', reason: 'moderator', decided_by: moderator.username },
        { to: 'rejected' },
      ]);
      await rule(`/media/${media.slug}`, 'approved');
      expect(await seen()).toEqual([200, 200, true]);
      await asModerator('DELETE', `/reports/post/${post.slug}`);
    });

    it('are for moderators alone', async () => {
      const media = await addMedia();
      const post = await makePost([media]);
      const body = { status: 'pending', reason: 'Mine.' };
      for (const path of [`/moderation/media/${media.slug}`, `/moderation/posts/${post.slug}`]) {
        for (const token of [
          author.session,
          stranger.session,
          await moderator.mintToken({ scopes: ['read'] }),
        ]) {
          expect((await gateway.ask('POST', path, { token, body })).status).toBe(403);
        }
      }
      expect(await list(`/decisions?slug=${media.slug}`)).toEqual([]);
    });
  });

  describe('rulings on posts', () => {
    it('outrank the owner, who may raise them and never lower', async () => {
      const post = await makePost([await addMedia()]);
      const mark = (isNsfw: boolean): Promise<Answer> =>
        gateway.ask('PATCH', `/posts/${post.slug}`, { token: author.session, body: { is_nsfw: isNsfw } });
      const statusNow = async (): Promise<unknown> =>
        (await gateway.ask('GET', `/posts/${post.slug}`, { token: author.session })).body['data'];
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
      expect((await gateway.ask('GET', `/posts/${post.slug}`)).status).toBe(404);
      const decisions = [...(await list(`/decisions?type=post&slug=${post.slug}&limit=250`))].reverse();
      expect(decisions.map(({ from, to, decided_by: by }) => [from, to, by])).toEqual([
        ['approved', 'nsfw', author.username],
        ['nsfw', 'approved', moderator.username],
        ['approved', 'nsfw', author.username],
        ['nsfw', 'nsfw', moderator.username],
        ['nsfw', 'rejected', moderator.username],
      ]);
    });

    it('with a ban reject the media too', async () => {
      const media = [await addMedia(), await addMedia()];
      const post = await makePost(media);
      expect((await rule(`/posts/${post.slug}`, 'rejected', { ban: true })).status).toBe(200);
      for (const { slug } of media) {
        expect((await gateway.ask('GET', `/media/${slug}`)).status).toBe(404);
        expect(await list(`/decisions?slug=${slug}`)).toMatchObject([{ type: 'media', to: 'rejected' }]);
      }
    });
  });

  describe('the queue', () => {
    it('shows what was reported, oldest first, until it is seen to', async () => {
      const media = await addMedia();
      const post = await makePost([await addMedia()]);
      const { body } = await gateway.ask('POST', `/posts/${post.slug}/comments`, {
        token: stranger.session,
        body: { content: 'Buy watches' },
      });
      const comment = (body['comment'] as { id: number }).id;
      await report('media', media.slug);
      await report('post', post.slug);
      await report('comment', comment, author);
      await report('user', stranger.username, author);
      await report('media', media.slug, author);
      expect(await list('/queue')).toMatchObject([
        {
          type: 'media',
          media: { slug: media.slug, user: { username: author.username } },
          scores: null,
          reasons: ['abuse'],
          reports: 2,
          latest_reports: [{ reporter: author.username }, { reporter: stranger.username, details: 'Look' }],
        },
        { type: 'post', post: { slug: post.slug, first_media: { type: 'image/jpeg' } }, reports: 1 },
        { type: 'comment', comment: { id: comment, content: 'Buy watches', post: { slug: post.slug } } },
        { type: 'user', user: { username: stranger.username, avatar: null } },
      ]);
      const last = (await asModerator('GET', '/queue?limit=3&page=2')).body;
      expect(last).toMatchObject({
        data: [{ type: 'user' }],
        links: { next: null, prev: expect.stringContaining('limit=3&page=1') },
        meta: { total: 4, from: 4, to: 4, last_page: 2 },
      });

      await rule(`/media/${media.slug}`, 'approved');
      await rule(`/posts/${post.slug}`, 'nsfw');
      await gateway.ask('DELETE', `/comments/${comment}`, { token: moderator.session });
      expect((await list('/queue')).map(({ type }) => type)).toEqual(['user']);
      expect(await asModerator('DELETE', `/reports/user/${stranger.username}`)).toMatchObject({
        status: 200,
        body: { message: 'Reports closed.' },
      });
      expect((await asModerator('DELETE', `/reports/user/${stranger.username}`)).status).toBe(404);
      expect((await asModerator('DELETE', `/reports/tag/x`)).status).toBe(404);
      expect(await list('/queue')).toEqual([]);
    });

    it.each(['limit=0', 'limit=251', 'page=0', 'page=x'])('refuses %s', async (query) => {
      for (const path of READS) expect((await asModerator('GET', `${path}?${query}`)).status).toBe(422);
    });
  });

  describe('banned hashes', () => {
    it('are added once, listed newest first, and lifted', async () => {
      const [file, picture] = [hex(), hex()];
      const first = await asModerator('POST', '/hashes', { hash: file.toUpperCase(), reason: 'Known' });
      expect(first).toMatchObject({
        status: 201,
        body: {
          message: 'Hash banned.',
          banned_hash: { kind: 'sha256', hash: file, reason: 'Known', created_by: moderator.username },
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

    it('say nothing of what is hosted already', async () => {
      const media = await addMedia();
      const { rows } = await database.query<{ hash: string }>(
        `select encode(received_sha256, 'hex') as hash from media where id = $1`,
        [media.id],
      );
      expect((await asModerator('POST', '/hashes', { hash: rows[0]?.hash, reason: 'Late' })).status).toBe(
        201,
      );
      expect((await gateway.ask('GET', `/media/${media.slug}`)).status).toBe(200);
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
    it('are listed newest first, and by what they are on', async () => {
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
      expect((await asModerator('GET', '/decisions?type=user')).status).toBe(422);
      expect((await asModerator('GET', '/decisions?slug=%00')).status).toBe(422);
    });
  });
});
