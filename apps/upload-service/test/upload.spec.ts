import { randomSlug } from '@vitrine/domain';
import { createHash, randomBytes } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { assertDocumented } from './support/openapi';
import { BOUNDARY, MULTIPART_TYPE, multipart, type Part, RawConnection } from './support/raw-http';
import { bmp, gif, png, pngBomb, svg } from './support/samples';
import { type Account, startUploadHost, type UploadHost } from './support/upload-host';

const PATH = '/api/v1/media';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Answers are looked at by matchers alone.
  readonly body: Record<string, unknown> & { media: Record<string, unknown> & { slug: string; ext: string } };
}

describe('POST {upload_url}', () => {
  let host: UploadHost;
  let account: Account;

  beforeAll(async () => {
    host = await startUploadHost({ MAX_FILE_BYTES: String(2 * 1024 * 1024) });
    account = await host.createAccount();
  });
  afterAll(() => host.close());

  /** Nothing of a refused or broken upload may stay. */
  const footprint = async () => ({
    scratch: await host.scratchFiles(),
    stored: (await host.storedFiles()).length,
    media: await host.countMedia(),
  });

  const post = async (
    body: Uint8Array | string,
    headers: Readonly<Record<string, string>> = {},
    token: string | null = account.token,
  ): Promise<Answer> => {
    const response = await fetch(host.url + PATH, {
      method: 'POST',
      body: body as Uint8Array<ArrayBuffer>,
      headers: {
        'Content-Type': MULTIPART_TYPE,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const { status, headers: received } = response;
    const text = await response.text();
    assertDocumented('POST', PATH, { status, headers: received, body: text });
    return { status, headers: received, body: JSON.parse(text) as Answer['body'] };
  };
  const upload = (body: Uint8Array, part: Partial<Part> = {}): Promise<Answer> =>
    post(multipart({ name: 'file', filename: 'a.bin', ...part, body }));

  describe('takes a file in', () => {
    it('answers with the whole media and where it is', async () => {
      const { status, headers, body } = await upload(png(40, 30));
      expect(status).toBe(201);
      const { slug } = body.media;
      expect(slug).toMatch(/^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/);
      expect(headers.get('location')).toBe(`http://api.test/api/v1/media/${slug}`);
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(headers.get('x-ratelimit-limit')).toBe('100000');
      expect(body).toEqual({
        message: expect.any(String),
        media: {
          id: expect.any(Number),
          slug,
          filename: slug,
          title: null,
          description: null,
          alt_text: null,
          type: 'image/png',
          ext: 'png',
          size: expect.any(Number),
          width: 40,
          height: 30,
          duration: null,
          animated: false,
          moderation_status: 'pending',
          processed: false,
          processing_error: null,
          thumbhash: null,
          tags: [],
          page_url: `http://site.test/m/${slug}`,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          urls: {
            original: `http://cdn.test/f/${slug}.png`,
            thumb: `http://cdn.test/f/${slug}_xs.png`,
            xs: `http://cdn.test/f/${slug}_xs.png`,
            sm: `http://cdn.test/f/${slug}_sm.png`,
            md: `http://cdn.test/f/${slug}_md.png`,
            lg: `http://cdn.test/f/${slug}_lg.png`,
            xl: `http://cdn.test/f/${slug}_xl.png`,
          },
          unlisted: false,
          listed: false,
          user: { username: expect.stringMatching(/^user_/), avatar: null },
        },
      });
    });

    it('has written row, bytes and event', async () => {
      const bytes = png(8, 8);
      const { body } = await upload(bytes);
      const { rows } = await host.database.query('select * from media where slug = $1', [body.media.slug]);
      expect(rows[0]).toMatchObject({
        user_id: String(account.id),
        received_sha256: createHash('sha256').update(bytes).digest(),
        format: 'png',
        kind: 'image',
      });
      expect(await host.storedFiles()).toContain(`${body.media.slug}.png`);
      await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    });

    it.each<[string, Partial<Part>]>([
      ['declared as something else', { filename: 'a.exe', type: 'application/x-msdownload' }],
      ['as application/octet-stream', { type: 'application/octet-stream' }],
      ['without a type', { filename: 'a.png' }],
      ['with an empty file name', { filename: '', type: 'image/png' }],
      ['with a name in another script', { filename: 'фото 写真.png' }],
      ['with a hostile name', { filename: '../../../etc/passwd\u0000.png' }],
    ])('%s', async (_, part) => {
      const { status, body } = await upload(png(3, 2), part);
      expect(status).toBe(201);
      expect(body.media).toMatchObject({ type: 'image/png', ext: 'png', title: null });
    });

    it.each<[string, Omit<Part, 'body'>]>([
      ['without a file name', { name: 'file', type: 'image/png' }],
      ['without file name and type', { name: 'file' }],
    ])('%s', async (_, part) => {
      const { status, body } = await post(multipart({ ...part, body: png(3, 2) }));
      expect(status).toBe(201);
      expect(body.media).toMatchObject({ width: 3, height: 2 });
    });

    it('foretells the extensions of what is made later', async () => {
      const urls = async (bytes: Uint8Array) => (await upload(bytes)).body.media['urls'];
      expect(await urls(gif())).toMatchObject({ original: expect.stringMatching(/\.gif$/) });
      expect(await urls(gif())).toMatchObject({ xs: expect.stringMatching(/_xs\.png$/) });
      expect(await urls(svg())).toMatchObject({
        original: expect.stringMatching(/\.svg$/),
        xl: expect.stringMatching(/_xl\.png$/),
      });
      expect(await urls(bmp())).toMatchObject({
        original: expect.stringMatching(/\.bmp$/),
        md: expect.stringMatching(/_md\.jpg$/),
      });
    });

    it('tells animations from stills', async () => {
      const media = async (bytes: Uint8Array) => (await upload(bytes)).body.media;
      expect(await media(gif(2))).toMatchObject({ animated: true, duration: null });
      expect(await media(gif(1))).toMatchObject({ animated: false });
    });

    it('takes a body in many small pieces', async () => {
      const connection = await RawConnection.open(host.url);
      const body = multipart({ name: 'file', filename: 'a.png', body: png(5, 5) });
      connection.sendHead('POST', PATH, {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Transfer-Encoding': 'chunked',
      });
      for (const byte of body) connection.send(Buffer.from([0x31, 13, 10, byte, 13, 10]));
      connection.send('0\r\n\r\n');
      expect((await connection.answer()).status).toBe(201);
      connection.hangUp();
    });

    it('removes metadata before it answers', async () => {
      const { body } = await upload(
        png(9, 9, {
          extra: [
            ['tEXt', 'Author\0Jane Secret'],
            ['eXIf', 'MM\0*secret-place'],
          ],
          tail: 'secret tail',
        }),
      );
      const served = await fetch(`${host.url}/f/${body.media.slug}.png`);
      const bytes = Buffer.from(await served.arrayBuffer());
      expect(bytes.toString('latin1')).not.toMatch(/secret/i);
      expect(bytes.length).toBe(body.media['size']);
      expect(bytes).toEqual(png(9, 9));
    });

    it('takes 50 files at once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => upload(png(10 + i, 10))));
      expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(201));
      expect(new Set(answers.map((answer) => answer.body.media.slug)).size).toBe(50);
      await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    });
  });

  describe('refuses before the body', () => {
    /** Announces a body and never sends it: only a refusal without the body can come in time. */
    const announce = async (headers: Readonly<Record<string, string>>) => {
      const connection = await RawConnection.open(host.url);
      connection.sendHead('POST', PATH, {
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': '1000000',
        ...headers,
      });
      const answer = await connection.answer();
      connection.hangUp();
      return { ...answer, text: connection.text };
    };

    it.each([
      ['no token', {}],
      ['a bad token', { Authorization: 'Bearer vtr_nonsense' }],
      ['another scheme', { Authorization: 'Basic YTpi' }],
    ])('%s', async (_, headers) => {
      const answer = await announce({ ...headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(JSON.parse(answer.body)).toEqual({ message: 'Unauthenticated.' });
    });

    it('a token without the scope', async () => {
      const reader = await host.createAccount(['read', 'write']);
      const answer = await announce({ Authorization: `Bearer ${reader.token}` });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.body)).toEqual({ message: 'This action is unauthorized.' });
    });

    it('a body that is announced too large', async () => {
      const answer = await announce({
        Authorization: `Bearer ${account.token}`,
        'Content-Length': String(5 * 1024 * 1024),
      });
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.body)).toEqual({
        message: 'The file field must not be greater than 2048 kilobytes.',
        errors: { file: ['The file field must not be greater than 2048 kilobytes.'] },
      });
    });

    it('without asking for the body of a client that waits to be asked', async () => {
      const answer = await announce({ Expect: '100-continue' });
      expect(answer.text).toMatch(/^HTTP\/1\.1 401 /);
    });

    it('and asks a welcome client that waits for its body', async () => {
      const connection = await RawConnection.open(host.url);
      const body = multipart({ name: 'file', filename: 'a.png', body: png(5, 5) });
      connection.sendHead('POST', PATH, {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': String(body.length),
        Expect: '100-continue',
      });
      await eventually(() => expect(connection.text).toMatch(/^HTTP\/1\.1 100 Continue/));
      connection.send(body);
      expect((await connection.answer()).status).toBe(201);
      connection.hangUp();
    });

    it('and lets a client that sends on regardless read its answer', async () => {
      const { status } = await post(randomBytes(2_000_000), {}, null).catch(() => ({ status: 'lost' }));
      expect(status).toBe(401);
    });
  });

  describe('refuses', () => {
    let before: Awaited<ReturnType<typeof footprint>>;
    beforeEach(async () => {
      before = await footprint();
    });
    afterEach(async () => {
      await eventually(async () => expect(await footprint()).toEqual(before));
    });

    const MISSING = 'The file field is required.';
    const WRONG_TYPE = 'The file field must be a file of type: image/*, video/*.';
    const UNREADABLE = 'The file field must be a readable image or video.';
    const EMPTY = 'The file field must not be empty.';
    const PIXELS =
      'The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.';

    const expectOnFile = (answer: Answer, message: string): void => {
      expect(answer.body).toEqual({ message, errors: { file: [message] } });
      expect(answer.status).toBe(422);
    };

    it('a body without the file', async () => {
      expectOnFile(await post(multipart({ name: 'post_id', body: '1' })), MISSING);
      expectOnFile(await post(multipart({ name: 'picture', filename: 'a.png', body: png(2, 2) })), MISSING);
      expectOnFile(await post(multipart()), MISSING);
    });

    it('a body that is not multipart', async () => {
      expectOnFile(await post('{}', { 'Content-Type': 'application/json' }), MISSING);
      expectOnFile(await post('file=a', { 'Content-Type': 'application/x-www-form-urlencoded' }), MISSING);
      expectOnFile(await post(png(2, 2), { 'Content-Type': 'image/png' }), MISSING);
    });

    it('several files', async () => {
      const answer = await post(
        multipart(
          { name: 'file', filename: 'a.png', body: png(2, 2) },
          { name: 'file', filename: 'b.png', body: png(2, 2) },
        ),
      );
      expectOnFile(answer, 'The file field must hold a single file.');
    });

    it.each<[string, Buffer, string]>([
      ['an empty file', Buffer.alloc(0), EMPTY],
      ['text', Buffer.from('hello, world'), WRONG_TYPE],
      ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), WRONG_TYPE],
      ['a concat script', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"), WRONG_TYPE],
      ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>'), WRONG_TYPE],
      ['a PDF', Buffer.from('%PDF-1.7\n'), WRONG_TYPE],
      ['a ZIP', Buffer.from('PK\x03\x04 and so on'), WRONG_TYPE],
      ['a JP2', Buffer.from('0000000c6a5020200d0a870a', 'hex'), WRONG_TYPE],
      ['an MP3', Buffer.from('ID3\x04\0\0\0\0\0\0'), WRONG_TYPE],
      ['noise', randomBytes(20_000).fill(0x5a, 0, 16), WRONG_TYPE],
      ['a PNG cut in its header', png(9, 9).subarray(0, 20), UNREADABLE],
      ['a JPEG of three bytes', Buffer.from([0xff, 0xd8, 0xff]), UNREADABLE],
      ['a picture of too many pixels', pngBomb(20_000, 5_001), PIXELS],
      ['an SVG that is no XML', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'), UNREADABLE],
    ])('%s', async (_, bytes, message) => {
      expectOnFile(await upload(bytes, { filename: 'a.jpg', type: 'image/jpeg' }), message);
    });

    it('a file that turns out too large, while it is being sent', async () => {
      const body = Buffer.concat([png(9, 9), randomBytes(2 * 1024 * 1024)]);
      expectOnFile(await upload(body), 'The file field must not be greater than 2048 kilobytes.');
    });

    it('a wrong type at its first bytes, without waiting for the rest', async () => {
      const connection = await RawConnection.open(host.url);
      connection.sendHead('POST', PATH, {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': '2000000',
      });
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
      connection.send(Buffer.concat([Buffer.from(head), Buffer.alloc(20_000, 'x')]));
      const answer = await connection.answer();
      expect([answer.status, JSON.parse(answer.body).message]).toEqual([422, WRONG_TYPE]);
      connection.hangUp();
    });

    const CRLF = '\r\n';
    it.each<[string, string, string]>([
      ['no boundary', 'multipart/form-data', multipart({ name: 'file', body: 'x' }).toString()],
      ['nothing', MULTIPART_TYPE, ''],
      [
        'another boundary',
        MULTIPART_TYPE,
        `--other${CRLF}Content-Disposition: form-data; name="file"${CRLF}${CRLF}x${CRLF}--other--`,
      ],
      [
        'no last boundary',
        MULTIPART_TYPE,
        `--${BOUNDARY}${CRLF}Content-Disposition: form-data; name="file"; filename="a"${CRLF}${CRLF}GIF89a`,
      ],
      ['half a part header', MULTIPART_TYPE, `--${BOUNDARY}${CRLF}Content-Dispos`],
      ['noise', MULTIPART_TYPE, randomBytes(5000).toString('latin1')],
      [
        'fields without end',
        MULTIPART_TYPE,
        multipart(...Array.from({ length: 500 }, () => ({ name: 'a', body: 'b' }))).toString(),
      ],
    ])('a body that can’t be read: %s', async (_, type, body) => {
      const answer = await post(body, { 'Content-Type': type });
      expect([answer.status, answer.body]).toEqual([400, { message: 'The request body could not be read.' }]);
    });

    it('a body that never ends its only part with other fields than ours', async () => {
      const answer = await post(
        multipart(
          { name: 'junk', body: 'x'.repeat(100_000) },
          { name: 'file', filename: 'a', body: 'no picture' },
        ),
      );
      expectOnFile(answer, WRONG_TYPE);
    });

    it('an upload that its client breaks off', async () => {
      const whole = multipart({
        name: 'file',
        filename: 'a.png',
        body: Buffer.concat([png(9, 9), randomBytes(900_000)]),
      });
      for (const share of [0.01, 0.5, 0.999]) {
        const connection = await RawConnection.open(host.url);
        connection.sendHead('POST', PATH, {
          Authorization: `Bearer ${account.token}`,
          'Content-Type': MULTIPART_TYPE,
          'Content-Length': String(whole.length),
        });
        connection.send(whole.subarray(0, Math.floor(whole.length * share)));
        await eventually(async () => expect(await host.scratchFiles()).toHaveLength(1));
        connection.hangUp();
        await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
      }
    });
  });

  describe('with unlisted', () => {
    const withUnlisted = (value: string, given: Partial<Part> = {}): Promise<Answer> =>
      post(
        multipart(
          { name: 'file', filename: 'a.png', body: png(4, 4) },
          { name: 'unlisted', body: value, ...given },
        ),
      );
    const unlistedInRow = async (slug: string): Promise<boolean> => {
      const { rows } = await host.database.query<{ unlisted: boolean }>(
        'select unlisted from media where slug = $1',
        [slug],
      );
      return rows[0]?.unlisted ?? false;
    };

    it.each([
      ['true', true],
      ['false', false],
    ])('of %s is stored and shown to the owner', async (value, expected) => {
      for (const given of [{}, { filename: 'x', type: 'application/octet-stream' }]) {
        const { status, body } = await withUnlisted(value, given);
        expect([status, body.media['unlisted'], body.media['listed']]).toEqual([201, expected, false]);
        expect(await unlistedInRow(body.media.slug)).toBe(expected);
      }
    });

    it('is false where it is absent', async () => {
      expect((await upload(png(4, 4))).body.media).toMatchObject({ unlisted: false });
    });

    it.each(['', '1', 'TRUE', 'yes', 'x'.repeat(2_000)])('refuses any other value: %s', async (value) => {
      const before = await footprint();
      const { status, body } = await withUnlisted(value);
      expect([status, body['errors']]).toEqual([
        422,
        { unlisted: ['The unlisted field must be true or false.'] },
      ]);
      await eventually(async () => expect(await footprint()).toEqual(before));
    });
  });

  describe('with post_id', () => {
    const createPost = async (owner: number | null): Promise<{ id: string; slug: string }> => {
      const slug = randomSlug();
      const { rows } = await host.database.query(
        'insert into posts (slug, user_id) values ($1, $2) returning id',
        [slug, owner],
      );
      return { id: rows[0].id, slug };
    };
    const file: Part = { name: 'file', filename: 'a.png', body: png(4, 4) };
    const withPost = (value: string, order: 'before' | 'after' = 'after') => {
      const post_ = { name: 'post_id', body: value };
      return post(order === 'before' ? multipart(post_, file) : multipart(file, post_));
    };
    const mediaOf = async (postId: string): Promise<string[]> => {
      const { rows } = await host.database.query(
        'select m.slug from post_media pm join media m on m.id = pm.media_id where pm.post_id = $1 order by position',
        [postId],
      );
      return rows.map((row) => row.slug);
    };

    it('attaches at the end, by slug or id, whichever part comes first', async () => {
      const target = await createPost(account.id);
      const first = await withPost(target.slug, 'before');
      const second = await withPost(target.id, 'after');
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(await mediaOf(target.id)).toEqual([first.body.media.slug, second.body.media.slug]);
      const { rows } = await host.database.query('select * from posts where id = $1', [target.id]);
      expect(rows[0]).toMatchObject({ media_count: 2, moderation_status: 'pending' });
    });

    it.each([{}, { filename: 'post_id' }])('attaches where the part comes as bytes: %j', async (given) => {
      const target = await createPost(account.id);
      const part: Part = { name: 'post_id', body: target.slug, type: 'application/octet-stream', ...given };
      const { body } = await post(multipart(part, file));
      expect(await mediaOf(target.id)).toEqual([body.media.slug]);
    });

    it('attaches many at once without losing one', async () => {
      const target = await createPost(account.id);
      const answers = await Promise.all(Array.from({ length: 12 }, () => withPost(target.slug)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201));
      expect((await mediaOf(target.id)).sort()).toEqual(
        answers.map((answer) => answer.body.media.slug).sort(),
      );
    });

    it('refuses a post that is unknown or somebody else’s, and keeps nothing', async () => {
      const other = await host.createAccount();
      const [foreign, guests] = [await createPost(other.id), await createPost(null)];
      const before = await footprint();
      for (const value of [
        foreign.slug,
        foreign.id,
        guests.slug,
        'aaaaaaa',
        '999999999',
        '-1',
        '1e3',
        'x'.repeat(5000),
        "' or 1=1 --",
      ]) {
        const answer = await withPost(value);
        expect([answer.status, answer.body]).toEqual([
          422,
          {
            message: 'The selected post_id is invalid.',
            errors: { post_id: ['The selected post_id is invalid.'] },
          },
        ]);
      }
      await eventually(async () => expect(await footprint()).toEqual(before));
    });

    it('refuses the 51st media of a post', async () => {
      const target = await createPost(account.id);
      await host.database.query(
        `with added as (
           insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
           select 'full' || lpad(n::text, 3, '0'), $2, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('a'), sha256('a')
           from generate_series(1, 50) n returning id)
         insert into post_media select $1, id, row_number() over () from added`,
        [target.id, account.id],
      );
      await host.database.query('update posts set media_count = 50 where id = $1', [target.id]);
      expect((await withPost(target.slug)).body).toMatchObject({ errors: { post_id: [expect.any(String)] } });
    });
  });

  describe('banned files', () => {
    const ban = (bytes: Uint8Array) =>
      host.database.query(`insert into banned_hashes (kind, hash, reason) values ('sha256', $1, 'test')`, [
        createHash('sha256').update(bytes).digest(),
      ]);
    const ANSWER = 'This file matches a banned hash and cannot be uploaded.';

    it.each([
      ['as received', png(21, 21, { tail: 'marked' }), png(21, 21, { tail: 'marked' })],
      ['as stored', png(22, 22), png(22, 22, { tail: 'another tail' })],
    ])('answers 451 and keeps nothing: %s', async (_, banned, sent) => {
      await ban(banned);
      const before = await footprint();
      const answer = await upload(sent);
      expect([answer.status, answer.body]).toEqual([451, { error: ANSWER, message: ANSWER }]);
      await eventually(async () => expect(await footprint()).toEqual(before));
    });
  });

  it('answers other methods, and the main host’s paths, as any unknown', async () => {
    const get = await fetch(host.url + PATH);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${host.url}/api/v1/posts`)).status).toBe(404);
  });
});
