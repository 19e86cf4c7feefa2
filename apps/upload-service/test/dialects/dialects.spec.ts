import { DEFAULT_UPLOADS_PER_DAY, MAX_POST_MEDIA } from '@vitrine/contracts';
import { eventually } from '@vitrine/testing';
import {
  DELETION,
  type DialectRequest,
  filePart,
  form,
  ORIGINAL,
  PAGE,
  PICTURE,
  SLUG,
  useDialectHost,
  withToken,
} from '../support/dialect-client';
import { MULTIPART_TYPE } from '../support/raw-http';
import { svg } from '../support/samples';

const stage = useDialectHost();
const { ask, rowOf } = stage;

describe('Chevereto and ImgBB', () => {
  const keyed: [string, string, DialectRequest][] = [
    ['in the query', '?key=TOKEN', form({ name: 'FIELD', filename: 'a.png', body: PICTURE })],
    ['in a field after the file', '', form({ name: 'FIELD', body: PICTURE }, { name: 'key', body: 'TOKEN' })],
    [
      'in a field before the file',
      '',
      form({ name: 'key', body: 'TOKEN' }, { name: 'FIELD', body: PICTURE }),
    ],
    [
      'in an urlencoded form',
      '',
      {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `key=TOKEN&FIELD=${encodeURIComponent(PICTURE.toString('base64'))}`,
      },
    ],
    [
      'in X-API-Key',
      '',
      { ...filePart('FIELD'), headers: { 'Content-Type': MULTIPART_TYPE, 'X-API-Key': 'TOKEN' } },
    ],
  ];
  const fill = (text: string, field: string): string =>
    text.replaceAll('TOKEN', stage.account.token).replaceAll('FIELD', field);
  const filled = ({ headers = {}, body = '' }: DialectRequest, field: string): DialectRequest => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, field)])),
    body: Buffer.from(fill(Buffer.from(body).toString('latin1'), field), 'latin1'),
  });

  it('take a slash at the end of every path', async () => {
    const bearer = `Bearer ${stage.account.token}`;
    for (const [path, field] of [
      ['/3/upload/', 'image'],
      ['/api/1/upload/', 'source'],
      ['/1/upload/', 'image'],
      ['/api/upload/', 'file'],
      ['/api/v1/upload/', 'file'],
      ['/uploads/?filename=a.png', 'file'],
    ] as const) {
      const { status, text } = await ask(path, withToken(bearer, filePart(field)));
      expect({ path, text, ok: status < 300 }).toMatchObject({ path, ok: true });
    }
  });

  // Promise [programs]: Programs for Chevereto and ImgBB send their key in each usual place.
  it.each(keyed)('accept the key %s', async (_, query, request) => {
    const chevereto = await ask(`/api/1/upload/${fill(query, '')}`, filled(request, 'source'));
    expect(chevereto).toMatchObject({
      status: 200,
      body: {
        status_code: 200,
        success: { code: 200 },
        image: {
          url: ORIGINAL,
          url_viewer: PAGE,
          thumb: { url: expect.stringMatching(/_xs\.png$/), mime: 'image/png' },
          medium: { url: expect.stringMatching(/_md\.png$/) },
          delete_url: DELETION,
          size: PICTURE.length,
        },
        status_txt: 'OK',
      },
    });
    const imgbb = await ask(`/1/upload${fill(query, '')}`, filled(request, 'image'));
    expect(imgbb).toMatchObject({
      status: 200,
      body: {
        data: {
          id: SLUG,
          url: ORIGINAL,
          url_viewer: PAGE,
          display_url: expect.any(String),
          delete_url: DELETION,
        },
        success: true,
        status: 200,
      },
    });
  });

  it.each(['', '0', 'null', 'undefined'])(
    'treat the expiry %j of their programs as absent',
    async (value) => {
      const sent = form({ name: 'expiration', body: value }, { name: 'image', body: PICTURE });
      expect((await ask(`/1/upload?key=${stage.account.token}`, sent)).status).toBe(200);
    },
  );

  it('answer as text or with a redirect if Chevereto is asked to', async () => {
    const send = (format: string) =>
      ask(`/api/1/upload?key=${stage.account.token}&format=${format}`, filePart('source'));
    const text = await send('txt');
    expect(text.text).toEqual(ORIGINAL);
    expect(text.headers.get('content-type')).toMatch(/^text\/plain/);
    const redirect = await send('redirect');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, PAGE]);
  });

  it('refuse a bad key, a missing key and an expiry', async () => {
    const refusal = async (path: string, request: DialectRequest) => {
      const { status, body } = await ask(path, request);
      return { status, ...body };
    };
    const before = await stage.host.countMedia();
    expect(
      await refusal('/1/upload', form({ name: 'key', body: 'x' }, { name: 'image', body: PICTURE })),
    ).toEqual({
      status: 401,
      status_code: 401,
      error: { message: 'Unauthenticated.', code: 401 },
      status_txt: 'Unauthorized',
    });
    expect(await refusal('/1/upload', filePart('image'))).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('The key field is required') },
    });
    expect(
      await refusal('/1/upload', form({ name: 'image', body: PICTURE }, { name: 'key', body: 'x' })),
    ).toMatchObject({ status: 401, error: { message: 'Unauthenticated.' } });
    expect(
      await refusal(`/1/upload?key=${stage.account.token}&expiration=600`, filePart('image')),
    ).toMatchObject({
      status: 400,
      error: { message: 'The expiration field is not supported by this server. Send the file without it.' },
    });
    const reader = await stage.host.createAccount(['read']);
    expect(
      await refusal(
        '/api/1/upload',
        form({ name: 'key', body: reader.token }, { name: 'source', body: PICTURE }),
      ),
    ).toMatchObject({ status: 403 });
    expect(await stage.host.countMedia()).toBe(before);
    await eventually(async () => expect(await stage.host.scratchFiles()).toEqual([]));
  });

  // Promise [programs]: A deletion address deletes nothing by itself: its page asks first.
  it('delete through a page whose address deletes nothing by itself', async () => {
    const { body } = await ask(`/1/upload?key=${stage.account.token}`, filePart('image'));
    const slug = body.data.id;
    const path = new URL(body.data.delete_url).pathname;
    const page = await ask(path, { method: 'GET' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<form method="post">');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await rowOf(slug)).toBeDefined();
    const wrong = path.slice(0, -1) + (path.endsWith('a') ? 'b' : 'a');
    expect((await ask(wrong)).status).toBe(404);
    expect((await ask(path)).text).toContain('The file has been deleted.');
    expect(await rowOf(slug)).toBeUndefined();
    expect((await ask(path)).status).toBe(404);
  });
});

describe('other programs', () => {
  // Promise [programs]: Programs for Zipline send several files and get plain addresses.
  it('Zipline: several files, and plain addresses', async () => {
    const both = form(
      { name: 'file', filename: 'a.png', body: PICTURE },
      { name: 'file', filename: 'b.svg', body: svg() },
    );
    const { status, body } = await ask('/api/upload', withToken(stage.account.token, both));
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        files: [
          { id: SLUG, name: expect.any(String), type: 'image/png', url: ORIGINAL },
          { id: SLUG, name: expect.any(String), type: 'image/svg+xml', url: expect.stringMatching(/\.svg$/) },
        ],
      },
    });
    const plain = withToken(stage.account.token, filePart('file'));
    const { text } = await ask('/api/upload', {
      ...plain,
      headers: { ...plain.headers, 'x-zipline-no-json': 'true' },
    });
    expect(text).toEqual(ORIGINAL);
  });

  // Promise [programs]: If one of several files is refused, no file is kept.
  it('Zipline: if one of several files is refused, none becomes a media item, not even for a moment', async () => {
    const attempts = async () =>
      (await stage.host.database.query(`select pg_sequence_last_value('media_id_seq') as last`)).rows;
    const before = [await stage.host.countMedia(), await attempts()];
    const bad = form({ name: 'file', body: PICTURE }, { name: 'file', body: PICTURE.subarray(0, 40) });
    const { status, body } = await ask('/api/upload', withToken(stage.account.token, bad));
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'The file field must be a readable image or video.', statusCode: 400 },
    });
    const many = form(...Array.from({ length: 11 }, () => ({ name: 'file', body: PICTURE })));
    expect((await ask('/api/upload', withToken(stage.account.token, many))).body).toEqual({
      error: 'The file field must not hold more than 10 files.',
      statusCode: 400,
    });
    expect([await stage.host.countMedia(), await attempts()]).toEqual(before);
  });

  it('Zipline: several files for which an album or a day has too little room leave nothing', async () => {
    const { id, token } = await stage.host.createAccount();
    const { database } = stage.host;
    await database.query(
      `insert into posts (slug, user_id, media_count) values ('albumAA', $1, $2), ('albumBB', $1, $3)`,
      [id, MAX_POST_MEDIA - 1, MAX_POST_MEDIA - 3],
    );
    const file = { name: 'file', body: PICTURE };
    const send = async (album: string): Promise<number> =>
      (await ask('/api/upload', withToken(token, form({ name: 'album', body: album }, file, file)))).status;
    const remains = async () => [
      (await stage.host.storedFiles()).length,
      (await database.query('select count(*)::int as files from media where user_id = $1', [id])).rows,
      (await database.query('select files from upload_counts where subject = $1', [`user:${id}`])).rows,
    ];
    const [stored] = await remains();
    expect(await send('albumAA')).toBe(400);
    expect(await remains()).toEqual([stored, [{ files: 0 }], []]);

    // Both are within the daily limit when they begin.
    await database.query(
      `insert into upload_counts (subject, day, files) values ($1, (now() at time zone 'utc')::date, $2)`,
      [`user:${id}`, DEFAULT_UPLOADS_PER_DAY - 3],
    );
    expect((await Promise.all([send('albumBB'), send('albumBB')])).sort()).toEqual([200, 429]);
    expect(await remains()).toEqual([
      Number(stored) + 2,
      [{ files: 2 }],
      [{ files: DEFAULT_UPLOADS_PER_DAY - 1 }],
    ]);
  });

  // Promise [programs]: Programs for Lsky Pro work.
  it('Lsky Pro', async () => {
    const { status, body } = await ask(
      '/api/v1/upload',
      withToken(`Bearer ${stage.account.token}`, filePart('file')),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      data: { key: SLUG, links: { url: ORIGINAL, markdown: expect.any(String), delete_url: DELETION } },
    });
    const refused = await ask(
      '/api/v1/upload',
      withToken(`Bearer ${stage.account.token}`, filePart('file', 'text')),
    );
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ status: false, message: expect.any(String), data: {} });
  });

  // Promise [programs]: Programs for the earlier API work.
  it('the earlier generation', async () => {
    const { status, body } = await ask('/uploads?filename=harbour.png', {
      headers: { Authorization: `Bearer ${stage.account.token}`, 'Content-Type': 'image/png' },
      body: PICTURE,
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          slug: SLUG,
          filename: 'harbour.png',
          ext: 'png',
          pageUrl: PAGE,
          processing: true,
          discard: DELETION,
          urls: expect.objectContaining({ original: ORIGINAL }),
        },
      },
    });
  });

  // Promise [programs]: `PUT` uploads a file.
  it.each([
    ['Bearer', (token: string) => `Bearer ${token}`],
    ['a password', (token: string) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`],
    ['a user name', (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`],
  ])('PUT with the token as %s', async (_, authorization) => {
    const answer = await ask('/photo.png', {
      method: 'PUT',
      headers: { Authorization: authorization(stage.account.token) },
      body: PICTURE,
    });
    expect([answer.status, answer.text.trim()]).toEqual([201, ORIGINAL]);
    expect(answer.headers.get('location')).toBe(answer.text.trim());
  });
});
