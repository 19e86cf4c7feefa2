import { randomSlug } from '@vitrine/domain';
import { useSharedGateway } from './use-gateway';

describe('media over HTTP', () => {
  const api = useSharedGateway();
  let owner: string;
  let stranger: string;

  beforeAll(async () => {
    owner = await api.gateway.register('owner');
    stranger = await api.gateway.register('stranger');
  });

  /** A media item of `owner`, in the state after its upload. */
  const storeMedia = async (fields: { moderationStatus?: string; kind?: string } = {}): Promise<string> => {
    const slug = randomSlug();
    await api.database.query(
      `insert into media (slug, user_id, title, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, moderation_status)
       select $1, id, 'First', $3, 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'), $2
       from users where username = 'owner'`,
      [slug, fields.moderationStatus ?? 'approved', fields.kind ?? 'image'],
    );
    return slug;
  };

  // Promise [content]: `GET /media/<slug>` is public.
  it('shows a media item to everyone', async () => {
    const slug = await storeMedia();
    const { status, body } = await api.gateway.ask('GET', `/media/${slug}`);
    expect(status).toBe(200);
    expect(body['data']).toMatchObject({
      slug,
      filename: slug,
      title: 'First',
      type: 'image/jpeg',
      moderation_status: 'approved',
      page_url: `https://example.org/m/${slug}`,
      urls: {
        original: `https://cdn.example.org/f/${slug}.jpg`,
        xl: `https://cdn.example.org/f/${slug}_xl.jpg`,
      },
      user: { username: 'owner', avatar: null },
    });
    expect(JSON.stringify(body)).not.toContain('sha256');
  });

  it('names the post that contains it, but neither private nor explicit posts to others', async () => {
    const [slug, nsfw] = [await storeMedia(), await storeMedia({ moderationStatus: 'nsfw' })];
    const make = (title: string, fields: object) =>
      api.gateway.ask('POST', '/posts', { token: owner, body: { title, media_ids: [slug], ...fields } });
    const postOf = async (item: string, token?: string) => {
      const { body } = await api.gateway.ask('GET', `/media/${item}`, {
        ...(token !== undefined && { token }),
      });
      return (body['data'] as { post: { title: string } | null }).post?.title;
    };
    await make('Mine', { visibility: 'private' });
    expect([await postOf(slug), await postOf(slug, owner)]).toEqual([undefined, 'Mine']);
    await make('Explicit', { media_ids: [slug, nsfw] });
    expect([await postOf(slug), await postOf(nsfw)]).toEqual([undefined, 'Explicit']);
    await make('Shown', {});
    expect([await postOf(slug), await postOf(slug, stranger)]).toEqual(['Shown', 'Shown']);
  });

  // Promise [content]: Only the owner changes the texts of a media item; omitted fields stay, `null` clears a
  // field.
  it('lets only the owner change it: omitted fields stay unchanged, null clears a field, other fields are ignored', async () => {
    const slug = await storeMedia();
    const patch = (token: string | undefined, body: object) =>
      api.gateway.ask('PATCH', `/media/${slug}`, { ...(token !== undefined && { token }), body });
    expect((await patch(undefined, { title: 'x' })).status).toBe(401);
    expect((await patch(stranger, { title: 'x' })).status).toBe(403);
    expect(
      await patch(owner, {
        description: 'one\ntwo',
        moderation_status: 'approved',
        user_id: 2,
        slug: 'other77',
      }),
    ).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    const show = async () => (await api.gateway.ask('GET', `/media/${slug}`)).body['data'];
    expect(await show()).toMatchObject({
      slug,
      title: 'First',
      description: 'one\ntwo',
      user: { username: 'owner' },
    });
    await patch(owner, { title: null, alt_text: 'A cat' });
    expect(await show()).toMatchObject({ title: null, description: 'one\ntwo', alt_text: 'A cat' });
    expect((await patch(owner, { title: 'x'.repeat(256) })).body).toEqual({
      message: 'The title field must not be greater than 255 characters.',
      errors: { title: ['The title field must not be greater than 255 characters.'] },
    });
    expect((await patch(owner, { title: 'two\nlines' })).status).toBe(422);
    expect((await patch(owner, { title: 7 })).body).toMatchObject({
      errors: { title: ['The title field must be a string.'] },
    });
  });

  // Promise [visibility]: A rejected media item is hidden from everyone but its owner and moderators.
  it('hides a rejected media item from everyone except its owner and moderators', async () => {
    const slug = await storeMedia({ moderationStatus: 'rejected' });
    const moderator = await api.gateway.register('mod_erator');
    await api.database.query("update users set role = 'moderator' where username = 'mod_erator'");
    const statuses = async (method: string) =>
      Promise.all(
        [undefined, stranger, moderator, owner].map(
          async (token) =>
            (
              await api.gateway.ask(method, `/media/${slug}`, {
                ...(token !== undefined && { token }),
                ...(method === 'PATCH' && { body: {} }),
              })
            ).status,
        ),
      );
    expect(await statuses('GET')).toEqual([404, 404, 200, 200]);
    expect(await statuses('PATCH')).toEqual([401, 404, 403, 200]);
  });

  it('gives an upload-only token no rights of its owner', async () => {
    const slug = await storeMedia({ moderationStatus: 'rejected' });
    const token = await api.gateway.mintToken(owner, { scopes: ['upload'] });
    expect((await api.gateway.ask('GET', `/media/${slug}`, { token })).status).toBe(404);
    expect((await api.gateway.ask('DELETE', `/media/${slug}`, { token })).status).toBe(403);
  });

  // Promise [content]: Only the owner deletes a media item.
  it('lets only the owner delete it, and publishes an event in the same transaction', async () => {
    const slug = await storeMedia();
    expect((await api.gateway.ask('DELETE', `/media/${slug}`)).status).toBe(401);
    expect((await api.gateway.ask('DELETE', `/media/${slug}`, { token: stranger })).status).toBe(403);
    const requestId = `delete-${slug}`;
    const deleted = await api.gateway.ask('DELETE', `/media/${slug}`, {
      token: owner,
      headers: { 'X-Request-Id': requestId },
    });
    expect(deleted).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await api.gateway.ask('GET', `/media/${slug}`)).status).toBe(404);
    expect((await api.gateway.ask('DELETE', `/media/${slug}`, { token: owner })).status).toBe(404);
    const { rows } = await api.database.query('select * from outbox');
    expect(rows.map((row) => JSON.stringify(row)).filter((row) => row.includes(slug))).toEqual([
      expect.stringContaining(requestId),
    ]);
  });

  it('accepts the user’s own picture as avatar, and shows it while it is approved and not deleted', async () => {
    const [picture, rejected, video] = [
      await storeMedia(),
      await storeMedia({ moderationStatus: 'rejected' }),
      await storeMedia({ kind: 'video' }),
    ];
    const choose = (token: string, avatar: string | null) =>
      api.gateway.ask('PATCH', '/me', { token, body: { avatar } });
    for (const slug of [video, 'nosuch1']) expect((await choose(owner, slug)).status).toBe(422);
    expect((await choose(stranger, picture)).status).toBe(422);
    expect((await choose(owner, rejected)).body).toMatchObject({ data: { avatar: null } });
    expect((await choose(owner, picture)).body).toMatchObject({
      data: { avatar: `https://cdn.example.org/f/${picture}_xs.jpg` },
    });
    expect((await api.gateway.ask('GET', `/media/${picture}`)).body).toMatchObject({
      data: { user: { avatar: `https://cdn.example.org/f/${picture}_xs.jpg` } },
    });
    await api.gateway.ask('DELETE', `/media/${picture}`, { token: owner });
    expect((await api.gateway.ask('GET', '/me', { token: owner })).body).toMatchObject({
      data: { avatar: null },
    });
  });

  // Promise [requests]: The main host accepts no uploads.
  it('answers 404 to an upload', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x']), 'x.jpg');
    const response = await fetch(`${api.gateway.url}/api/v1/media`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner}` },
      body: form,
    });
    expect([404, 405]).toContain(response.status);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  describe('own media', () => {
    let keeper: string;
    const list = async (query: string): Promise<{ slugs: readonly string[]; total: number }> => {
      const { body } = await api.gateway.ask('GET', `/me/media?${query}`, { token: keeper });
      const { data, meta } = body as { data: { slug: string }[]; meta: { total: number } };
      return { slugs: data.map(({ slug }) => slug), total: meta.total };
    };
    const change = async (
      media: readonly (string | number)[],
      changes: object,
    ): Promise<readonly string[]> => {
      const answer = await api.gateway.ask('PATCH', '/me/media', {
        token: keeper,
        body: { media, ...changes },
      });
      expect(answer.status).toBe(200);
      return (answer.body['data'] as { result: string }[]).map(({ result }) => result);
    };
    /** A media item of `keeper` with these columns. */
    const keep = async (columns: { kind?: string; frames?: number; bytes?: number; age?: string } = {}) => {
      const slug = await storeMedia(columns.kind === undefined ? {} : { kind: columns.kind });
      await api.database.query(
        `update media set user_id = (select id from users where username = 'keeper'), frames = $2, bytes = $3,
           created_at = now() - $4::interval where slug = $1`,
        [slug, columns.frames ?? 1, columns.bytes ?? 100, columns.age ?? '0 seconds'],
      );
      return slug;
    };

    beforeAll(async () => {
      keeper = await api.gateway.register('keeper');
    });
    beforeEach(() =>
      api.database.query(`delete from media using users where user_id = users.id and username = 'keeper'`),
    );

    // Promise [content]: The owner filters their media by type, age and use, and sorts them by size.
    it('are filtered and sorted', async () => {
      const [photo, film, loop] = [
        await keep({ bytes: 200, age: '2 days' }),
        await keep({ kind: 'video', bytes: 300 }),
        await keep({ frames: 5 }),
      ];
      expect(await list('')).toEqual({ slugs: [loop, film, photo], total: 3 });
      expect(await list('sort=largest&limit=2')).toEqual({ slugs: [film, photo], total: 3 });
      expect((await list('type=image')).slugs).toEqual([photo]);
      expect((await list('type=animation')).slugs).toEqual([loop]);
      expect((await list('type=video')).slugs).toEqual([film]);
      expect((await list('period=day')).slugs).toEqual([loop, film]);
      await api.gateway.ask('POST', '/posts', { token: keeper, body: { media_ids: [film] } });
      expect(await list('without_post=1')).toEqual({ slugs: [loop, photo], total: 2 });
    });

    // Promise [content]: Up to 100 media are changed or deleted with one request; those of others never.
    it('are changed and deleted together, and those of others are not', async () => {
      const foreign = await storeMedia();
      const slugs = await Promise.all(Array.from({ length: 99 }, () => keep()));
      const some = [slugs[0]!, foreign, 'unknown'];

      expect(await change(some, { add_tags: ['Sea'], unlisted: true })).toEqual([
        'done',
        'not_found',
        'not_found',
      ]);
      const many = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
      expect(await change([slugs[0]!], { add_tags: many })).toEqual(['invalid']);
      const { body } = await api.gateway.ask('GET', `/media/${slugs[0]}`, { token: keeper });
      expect(body['data']).toMatchObject({ tags: ['sea'], unlisted: true });

      const results = await change([...slugs, foreign], { delete: true });
      expect(results).toEqual([...slugs.map(() => 'done'), 'not_found']);
      expect((await list('')).total).toBe(0);
      expect((await api.gateway.ask('GET', `/media/${foreign}`)).status).toBe(200);
    });

    it('are refused if there are more than 100', async () => {
      const media = Array.from({ length: 101 }, () => randomSlug());
      const answer = await api.gateway.ask('PATCH', '/me/media', {
        token: keeper,
        body: { media, delete: true },
      });
      expect(answer.status).toBe(422);
    });
  });
});
