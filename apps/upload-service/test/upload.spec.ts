import { createHash, randomBytes } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { BOUNDARY, MULTIPART_TYPE, multipart, type Part, RawConnection } from './support/raw-http';
import { bmp, gif, GIF_WITHOUT_COLOURS, png, pngBomb, svg } from './support/samples';
import { type UploadAnswer, UPLOAD_PATH, Uploads } from './support/uploads';
import { type Account, useUploadHost } from './support/upload-host';

describe('POST {upload_url}', () => {
  const host = useUploadHost({ MAX_FILE_BYTES: String(2 * 1024 * 1024) });
  let account: Account;
  let uploads: Uploads;

  beforeAll(async () => {
    account = await host.createAccount();
    uploads = new Uploads(host, account.token);
  });

  // Promise [files]: Files without a name, with hostile names or with another declared type are accepted.
  describe('accepts a file', () => {
    // Promise [files]: An upload returns 201, the whole media item and its `Location`.
    it('and returns the whole media item and its Location', async () => {
      const { status, headers, body } = await uploads.file(png(40, 30));
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
          is_nsfw: false,
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
          pending_on: 'machine',
          ...{ processing_error: null, processing_progress: null },
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

    // Promise [files]: The 201 is sent after row, file and event are stored.
    it('and writes row, bytes and event', async () => {
      const bytes = png(8, 8);
      const { body } = await uploads.file(bytes);
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
      const { status, body } = await uploads.file(png(3, 2), part);
      expect(status).toBe(201);
      expect(body.media).toMatchObject({ type: 'image/png', ext: 'png', title: null });
    });

    it.each<[string, Omit<Part, 'body'>]>([
      ['without a file name', { name: 'file', type: 'image/png' }],
      ['without file name and type', { name: 'file' }],
    ])('%s', async (_, part) => {
      const { status, body } = await uploads.post(multipart({ ...part, body: png(3, 2) }));
      expect(status).toBe(201);
      expect(body.media).toMatchObject({ width: 3, height: 2 });
    });

    it('and names the extensions of future variants', async () => {
      const urls = async (bytes: Uint8Array) => (await uploads.file(bytes)).body.media['urls'];
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

    it('and distinguishes animations from stills', async () => {
      const media = async (bytes: Uint8Array) => (await uploads.file(bytes)).body.media;
      expect(await media(gif(2))).toMatchObject({ animated: true, duration: null });
      expect(await media(gif(1))).toMatchObject({ animated: false });
    });

    it('sent in many small chunks', async () => {
      const connection = await RawConnection.open(host.url);
      const body = multipart({ name: 'file', filename: 'a.png', body: png(5, 5) });
      connection.sendHead('POST', UPLOAD_PATH, {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Transfer-Encoding': 'chunked',
      });
      for (const byte of body) connection.send(Buffer.from([0x31, 13, 10, byte, 13, 10]));
      connection.send('0\r\n\r\n');
      expect((await connection.answer()).status).toBe(201);
      connection.hangUp();
    });

    // Promise [formats]: Metadata is removed before the upload is answered.
    it('and removes metadata before it responds', async () => {
      const { body } = await uploads.file(
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

    it('50 times at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => uploads.file(png(10 + i, 10))));
      expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(201));
      expect(new Set(answers.map((answer) => answer.body.media.slug)).size).toBe(50);
      await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    });
  });

  // Promise [files]: An upload needs a token, which is checked before the body is read.
  describe('refuses before it reads the body', () => {
    /** Announces a body and never sends it, so only a refusal that does not wait for the body arrives in time. */
    const announce = async (headers: Readonly<Record<string, string>>) => {
      const connection = await RawConnection.open(host.url);
      connection.sendHead('POST', UPLOAD_PATH, {
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
      expect(JSON.parse(answer.body)).toEqual({
        message: 'This action is unauthorized. The token lacks the scope upload.',
      });
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

    it('a request with Expect: 100-continue, without asking for its body', async () => {
      const answer = await announce({ Expect: '100-continue' });
      expect(answer.text).toMatch(/^HTTP\/1\.1 401 /);
    });

    it('but asks an accepted client for the body after Expect: 100-continue', async () => {
      const connection = await RawConnection.open(host.url);
      const body = multipart({ name: 'file', filename: 'a.png', body: png(5, 5) });
      connection.sendHead('POST', UPLOAD_PATH, {
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

    it('and the client can read the response although it still sends', async () => {
      const { status } = await uploads
        .post(randomBytes(2_000_000), {}, null)
        .catch(() => ({ status: 'lost' }));
      expect(status).toBe(401);
    });
  });

  describe('refuses', () => {
    let before: Awaited<ReturnType<Uploads['footprint']>>;
    beforeEach(async () => {
      await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
      before = await uploads.footprint();
    });
    afterEach(async () => {
      await eventually(async () => expect(await uploads.footprint()).toEqual(before));
    });

    const MISSING = 'The file field is required.';
    const WRONG_TYPE = 'The file field must be a file of type: image/*, video/*.';
    const UNREADABLE = 'The file field must be a readable image or video.';
    const EMPTY = 'The file field must not be empty.';
    const PIXELS =
      'The file field must not have more than 100 megapixels, or 250 megapixels in all of its frames.';

    const expectOnFile = (answer: UploadAnswer, message: string): void => {
      expect(answer.body).toEqual({ message, errors: { file: [message] } });
      expect(answer.status).toBe(422);
    };

    // Promise [requests]: A missing required field gives 422, which names the field.
    it('a body without the file', async () => {
      expectOnFile(await uploads.post(multipart({ name: 'post_id', body: '1' })), MISSING);
      expectOnFile(
        await uploads.post(multipart({ name: 'picture', filename: 'a.png', body: png(2, 2) })),
        MISSING,
      );
      expectOnFile(await uploads.post(multipart()), MISSING);
    });

    it('a body that is not multipart', async () => {
      expectOnFile(await uploads.post('{}', { 'Content-Type': 'application/json' }), MISSING);
      expectOnFile(
        await uploads.post('file=a', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        MISSING,
      );
      expectOnFile(
        await uploads.post(png(2, 2), { 'Content-Type': 'image/png' }),
        'The file field is required: send multipart/form-data here, or the bytes alone to PUT /<name> or POST /uploads.',
      );
    });

    it('several files', async () => {
      const answer = await uploads.post(
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
      ['a GIF without colours', GIF_WITHOUT_COLOURS, 'GIF without a palette is not supported.'],
      ['a picture of too many pixels', pngBomb(20_000, 5_001), PIXELS],
      ['an SVG that is no XML', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'), UNREADABLE],
    ])('%s', async (_, bytes, message) => {
      expectOnFile(await uploads.file(bytes, { filename: 'a.jpg', type: 'image/jpeg' }), message);
    });

    // Promise [files]: A file of more than 100 MB is refused with 422 while it is being sent.
    it('a file that exceeds the limit, while it is being sent', async () => {
      const body = Buffer.concat([png(9, 9), randomBytes(2 * 1024 * 1024)]);
      expectOnFile(await uploads.file(body), 'The file field must not be greater than 2048 kilobytes.');
    });

    it('a wrong type at its first bytes, without waiting for the rest', async () => {
      const connection = await RawConnection.open(host.url);
      connection.sendHead('POST', UPLOAD_PATH, {
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
    ])('an unreadable body: %s', async (_, type, body) => {
      const answer = await uploads.post(body, { 'Content-Type': type });
      expect([answer.status, answer.body]).toEqual([400, { message: 'The request body could not be read.' }]);
    });

    it('a body with a long unknown part before a wrong file', async () => {
      const answer = await uploads.post(
        multipart(
          { name: 'junk', body: 'x'.repeat(100_000) },
          { name: 'file', filename: 'a', body: 'no picture' },
        ),
      );
      expectOnFile(answer, WRONG_TYPE);
    });

    it('an upload that its client aborts, and keeps nothing of it', async () => {
      const whole = multipart({
        name: 'file',
        filename: 'a.png',
        body: Buffer.concat([png(9, 9), randomBytes(900_000)]),
      });
      for (const share of [0.01, 0.5, 0.999]) {
        const connection = await RawConnection.open(host.url);
        connection.sendHead('POST', UPLOAD_PATH, {
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

  it('leads from /openapi.json to the document of the API', async () => {
    const { status, headers } = await fetch(`${host.url}/openapi.json`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/\/api\/v1\/openapi\.json$/),
    ]);
  });

  it('returns 405 for other methods and 404 for the main host’s paths', async () => {
    const get = await fetch(host.url + UPLOAD_PATH);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${host.url}/api/v1/posts`)).status).toBe(404);
  });
});
