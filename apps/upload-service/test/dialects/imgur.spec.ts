import {
  type DialectRequest,
  filePart,
  form,
  ORIGINAL,
  PICTURE,
  SLUG,
  useDialectHost,
  withToken,
} from '../support/dialect-client';

const stage = useDialectHost();
const { ask, rowOf } = stage;

describe('Imgur', () => {
  const base64 = PICTURE.toString('base64');
  const bodies: [string, DialectRequest][] = [
    ['a file', filePart('image')],
    ['base64 in a part (PicGo)', form({ name: 'image', body: base64 }, { name: 'type', body: 'base64' })],
    ['base64 with a data address', form({ name: 'image', body: `data:image/png;base64,${base64}` })],
    [
      'base64 in an urlencoded form',
      {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `type=base64&image=${encodeURIComponent(base64)}&title=x`,
      },
    ],
    [
      'base64 whose plus signs are not escaped',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: `image=${base64}` },
    ],
    [
      'bytes labelled as a form (ksnip, Flameshot)',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: PICTURE },
    ],
    ['bytes', { headers: { 'Content-Type': 'application/octet-stream' }, body: PICTURE }],
  ];

  // Promise [programs]: Programs for Imgur upload images and albums.
  it.each(bodies)('accepts %s', async (_, request) => {
    const { status, body } = await ask('/3/image', withToken(`Client-ID ${stage.account.token}`, request));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        status: 200,
        data: expect.objectContaining({
          id: SLUG,
          link: ORIGINAL,
          deletehash: expect.stringMatching(/^[A-Za-z0-9]{29}$/),
          type: 'image/png',
          width: 40,
          height: 30,
          size: PICTURE.length,
          datetime: expect.any(Number),
        }),
      },
    });
    expect(await rowOf(body.data.id)).toEqual({ user_id: String(stage.account.id), unlisted: true });
  });

  it('takes title and description from the query, where ksnip and Flameshot send them, and answers under .json', async () => {
    const query = 'title=&description=2026-11-24%2009%3A00%3F';
    const sent = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: PICTURE };
    for (const path of ['/3/image', '/3/upload.json', '/3/image/']) {
      const { status, body } = await ask(
        `${path}?${query}`,
        withToken(`Client-ID ${stage.account.token}`, sent),
      );
      expect({ status, data: body.data }).toMatchObject({
        status: 200,
        data: { title: null, description: '2026-11-24 09:00?' },
      });
    }
  });

  it('refuses paths that no route has in its own form', async () => {
    expect(await ask('/3/gallery', { method: 'GET' })).toMatchObject({
      status: 404,
      body: { data: { error: 'Not found.' }, success: false, status: 404 },
    });
  });

  it('answers in XML with escaped texts under .xml', async () => {
    const made = await ask('/3/upload.xml', withToken(`Bearer ${stage.account.token}`, filePart('image')));
    expect(made.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(made.text).toMatch(/^<\?xml .*\?>\n<data success="1" status="200"><id>[A-Za-z0-9]{7}<\/id>/);
    const slug = /<id>(\w+)</.exec(made.text)![1]!;
    await stage.host.database.query('update media set title = $2 where slug = $1', [slug, `<&"'\u0001>`]);
    const shown = await ask(`/3/image/${slug}.xml`, { method: 'GET' });
    expect(shown.text).toContain('<title>&lt;&amp;&quot;&apos;&gt;</title>');
    const refused = await ask('/3/image.xml', filePart('image'));
    expect({ status: refused.status, text: refused.text }).toEqual({
      status: 401,
      text: '<?xml version="1.0" encoding="utf-8"?>\n<data success="0" status="401"><error>Unauthenticated.</error></data>\n',
    });
  });

  // Promise [programs]: An Imgur `deletehash` deletes an image without a token.
  it('deletes by deletehash for anyone, and by id only for the owner with a token that may write', async () => {
    const upload = async () =>
      (await ask('/3/image', withToken(`Client-ID ${stage.account.token}`, filePart('image')))).body[
        'data'
      ] as {
        id: string;
        deletehash: string;
      };
    const first = await upload();
    const { token: onlyUploads } = await stage.host.createAccount(['upload']);
    const remove = (name: string, token?: string) =>
      ask(`/3/image/${name}`, {
        method: 'DELETE',
        headers: token === undefined ? {} : { Authorization: `Client-ID ${token}` },
      });
    expect((await remove(first.id)).status).toBe(401);
    expect((await remove(first.id, onlyUploads)).status).toBe(403);
    expect((await remove(first.id, (await stage.host.createAccount()).token)).status).toBe(403);
    const other = await upload();
    expect((await remove(first.id + other.deletehash.slice(7))).status).toBe(404);
    expect((await remove(other.id, stage.account.token)).status).toBe(200);
    expect(await rowOf(first.id)).toBeDefined();
    expect((await remove(first.deletehash)).body).toEqual({ data: true, success: true, status: 200 });
    expect(await rowOf(first.id)).toBeUndefined();
    expect((await remove(first.deletehash)).body).toEqual({
      data: { error: 'Not found.' },
      success: false,
      status: 404,
    });
  });

  // Promise [programs]: Imgur albums are hidden posts.
  it('keeps albums as hidden posts', async () => {
    const authorized = (request: DialectRequest) => withToken(`Bearer ${stage.account.token}`, request);
    const upload = async (): Promise<string> =>
      (await ask('/3/image', authorized(filePart('image')))).body.data.id;
    const [one, two, three] = [await upload(), await upload(), await upload()];
    const made = await ask(
      '/3/album',
      authorized(
        form({ name: 'ids[]', body: one }, { name: 'ids[]', body: two }, { name: 'title', body: 'Harbour' }),
      ),
    );
    expect(made.body).toMatchObject({ success: true, data: { id: SLUG, deletehash: SLUG } });
    const id = made.body.data.id;
    const album = async () => (await ask(`/3/album/${id}`, { method: 'GET' })).body.data;
    expect(await album()).toMatchObject({ id, title: 'Harbour', privacy: 'hidden', images_count: 2 });
    const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
    await ask(`/3/album/${id}/add`, authorized({ headers: urlencoded, body: `ids%5B%5D=${three}` }));
    const changed = await ask(
      `/3/album/${id}`,
      authorized({ method: 'PUT', headers: urlencoded, body: 'title=Pier&privacy=public' }),
    );
    expect(changed.body).toMatchObject({ data: true });
    await ask(`/3/album/${id}/remove_images?ids=${one}`, authorized({ method: 'DELETE' }));
    const now = await album();
    expect(now).toMatchObject({ title: 'Pier', privacy: 'public' });
    expect(now.images.map((image) => image.id)).toEqual([two, three]);
    await ask('/3/image', authorized(form({ name: 'album', body: id }, { name: 'image', body: PICTURE })));
    expect((await ask(`/3/album/${id}/images`, { method: 'GET' })).body.data).toHaveLength(3);
    expect((await ask(`/3/album/${id}`, authorized({ method: 'DELETE' }))).status).toBe(200);
    expect((await ask(`/3/album/${id}`, { method: 'GET' })).body).toMatchObject({ status: 404 });
    expect(await rowOf(two)).toBeDefined();
    const empty = await ask('/3/album', authorized(form({ name: 'title', body: 'x' })));
    expect(empty.body).toMatchObject({
      status: 400,
      data: { error: 'The ids field must name at least one image.' },
    });
  });
});
