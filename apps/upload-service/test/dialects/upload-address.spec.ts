import { eventually } from '@vitrine/testing';
import {
  ask as askHost,
  type DialectRequest,
  filePart,
  form,
  LIMIT,
  PICTURE,
  useDialectHost,
  withToken,
} from '../support/dialect-client';
import { dialectRoutes } from '../support/dialect-routes';
import { multipart, RawConnection } from '../support/raw-http';
import { type Account, startUploadHost } from '../support/upload-host';

const stage = useDialectHost();
const { ask } = stage;

describe('a refusal', () => {
  const big = 'A'.repeat(LIMIT * 2);
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

  it.each<[string, number, string, () => DialectRequest]>([
    ['without a token', 401, '/3/image', () => filePart('image')],
    ['with a wrong method', 405, '/3/image', () => ({ method: 'PATCH' })],
    ['of an unknown image', 404, '/3/image/nothere', () => ({ method: 'GET' })],
    [
      'of JSON',
      415,
      '/3/image',
      () =>
        withToken(`Client-ID ${stage.account.token}`, {
          headers: { 'Content-Type': 'application/json' },
          body: '{}',
        }),
    ],
    [
      'of a large file',
      413,
      '/3/image',
      () =>
        withToken(
          `Client-ID ${stage.account.token}`,
          filePart('image', Buffer.concat([PICTURE, Buffer.alloc(LIMIT)])),
        ),
    ],
    [
      'of large base64',
      413,
      '/3/image',
      () =>
        withToken(`Client-ID ${stage.account.token}`, {
          headers: urlencoded,
          body: `image=${PICTURE.toString('base64').replace(/=+$/, '')}${big}`,
        }),
    ],
    [
      'of an address',
      400,
      '/3/image',
      () =>
        withToken(`Client-ID ${stage.account.token}`, {
          headers: urlencoded,
          body: 'image=http%3A%2F%2F127.0.0.1%2Fa.png&type=url',
        }),
    ],
    [
      'of two files',
      400,
      '/3/image',
      () =>
        withToken(
          `Client-ID ${stage.account.token}`,
          form({ name: 'image', body: PICTURE }, { name: 'image', body: PICTURE.toString('base64') }),
        ),
    ],
    [
      'of half base64',
      400,
      '/3/image',
      () =>
        withToken(
          `Client-ID ${stage.account.token}`,
          form({ name: 'image', body: `${PICTURE.toString('base64').slice(0, 80)}=a` }),
        ),
    ],
    [
      'of too many fields, although they are empty',
      400,
      '/3/image',
      () =>
        withToken(`Client-ID ${stage.account.token}`, {
          headers: urlencoded,
          body: `${'&'.repeat(60)}image=${PICTURE.toString('base64')}`,
        }),
    ],
    [
      'of nothing',
      400,
      '/3/image',
      () => withToken(`Client-ID ${stage.account.token}`, form({ name: 'title', body: 'x' })),
    ],
  ])('%s has the form of the dialect and leaves nothing', async (_, status, path, request) => {
    const before = await stage.host.countMedia();
    const answer = await ask(path, request());
    expect(answer).toMatchObject({
      status,
      body: { data: { error: expect.any(String) }, success: false, status },
    });
    if (status === 415) expect(answer.text).toContain('Expected a form');
    expect(await stage.host.countMedia()).toBe(before);
    await eventually(async () => expect(await stage.host.scratchFiles()).toEqual([]));
  });

  it('of an unknown path, and of a name with another method than PUT, stays 404', async () => {
    for (const [method, path] of [
      ['GET', '/photo.png'],
      ['POST', '/photo.png'],
      ['PUT', '/put/photo.png'],
      ['POST', '/3/gallery'],
    ] as const) {
      expect((await ask(path, { method })).status).toBe(404);
    }
  });

  it('of a body whose announced length exceeds the limit comes before the body', async () => {
    const connection = await RawConnection.open(stage.host.url);
    connection.sendHead('POST', '/3/image', {
      Authorization: `Client-ID ${stage.account.token}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(140 * 1024 * 1024),
    });
    expect((await connection.answer()).status).toBe(413);
    connection.hangUp();
  });
});

describe('a token in the path', () => {
  let uploader: Account;
  beforeAll(async () => {
    uploader = await stage.host.createAccount(['upload']);
  });

  // Promise [programs]: `/c/<token>/` uploads in every dialect, for programs that can’t send a token.
  it('uploads in every dialect, whatever other credentials the program sends', async () => {
    const start = `/c/${uploader.token}`;
    const answers = [
      await ask(`${start}/3/image`, withToken('Client-ID 0123456789abcde', filePart('image'))),
      await ask(`${start}/api/1/upload/?key=x`, filePart('source')),
      await ask(`${start}/1/upload`, form({ name: 'key', body: 'x' }, { name: 'image', body: PICTURE })),
      await ask(`${start}/api/upload`, filePart('file')),
      await ask(`${start}/api/v1/upload`, filePart('file')),
      await ask(`${start}/uploads`, { body: PICTURE, headers: { 'Content-Type': 'image/png' } }),
      await ask(`${start}/a.png`, { method: 'PUT', body: PICTURE }),
      await ask(`${start}/api/v1/media`, filePart('file')),
      await ask(`${start}/`, filePart('file')),
      await ask(start, filePart('file')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 201, 201, 201, 201, 201]);
    const { rows } = await stage.host.database.query('select count(*) from media where user_id = $1', [
      uploader.id,
    ]);
    expect(rows).toEqual([{ count: '10' }]);
    for (const { headers, text } of answers) {
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(JSON.stringify([...headers]) + text).not.toContain(uploader.token);
    }
  });

  // Promise [programs]: Such an address accepts only tokens that may do nothing but upload.
  it('is refused if it may do more than upload, is revoked, or is malformed', async () => {
    const revoked = await stage.host.createAccount(['upload']);
    await stage.host.database.query('delete from tokens where user_id = $1', [revoked.id]);
    for (const token of [stage.account.token, revoked.token, 'vtr_x']) {
      const answer = await ask(`/c/${token}/3/image`, filePart('image'));
      expect(answer).toMatchObject({ status: 401, body: { success: false } });
      expect(answer.text).not.toContain(token);
    }
  });

  it('gives 404 before /f/ and before a second token', async () => {
    for (const path of ['/f/a.png', `/c/${uploader.token}/3/image`]) {
      expect((await ask(`/c/${uploader.token}${path}`, { method: 'GET' })).status).toBe(404);
    }
  });
});

describe('a request', () => {
  /** What is left of the limit after a request. */
  const left = async (path: string, method = 'GET') => {
    const { headers } = await ask(path, { method });
    return Number(headers.get('X-RateLimit-Remaining') ?? NaN);
  };

  it('to each route of a dialect is counted once: for its address, or for the account of an upload address', async () => {
    const routes = dialectRoutes();
    expect(routes.length).toBeGreaterThan(15);
    const { token } = await stage.host.createAccount(['upload']);
    for (const start of ['', `/c/${token}`]) {
      for (const { method, path } of routes) {
        const before = await left(`${start}/probe/none`);
        const steps = [await left(start + path, method), await left(`${start}/probe/none`)];
        expect([method, start && '/c', path, ...steps]).toEqual([
          method,
          start && '/c',
          path,
          before - 1,
          before - 2,
        ]);
      }
    }
  });
});

it('counts the requests of a token in the path or the query for its account, and refuses in the form of the dialect', async () => {
  const strict = await startUploadHost({ RATE_LIMIT_USER_PER_MINUTE: '2', DIALECTS: 'imgur,imgbb' });
  try {
    const { token } = await strict.createAccount(['upload']);
    const send = () => askHost(strict, `/1/upload?key=${token}`, filePart('image'));
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const over = await send();
    expect(over).toMatchObject({
      status: 429,
      body: { status_code: 429, error: { message: 'Too Many Attempts.' } },
    });
    expect((await askHost(strict, `/c/${token}/3/image`, { body: multipart() })).body).toMatchObject({
      status: 429,
      success: false,
    });
    const off = await askHost(strict, '/api/upload', filePart('file'));
    expect(off.status).toBe(404);
  } finally {
    await strict.close();
  }
});
