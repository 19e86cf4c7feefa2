import { MULTIPART_TYPE, multipart, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { startUploadHost, useUploadHost } from './support/upload-host';
import { UPLOAD_PATH, type UploadAnswer, Uploads } from './support/uploads';

const SITE_KEY = 'k'.repeat(40);

describe('uploads of guests', () => {
  const host = useUploadHost({ SITE_SERVICE_KEY: SITE_KEY, UPLOADS_PER_DAY: '2' });

  const upload = (visitor: string, key: string | null = SITE_KEY): Promise<UploadAnswer> =>
    new Uploads(host, null).post(multipart({ name: 'file', filename: 'a.png', body: png(3, 3) }), {
      'X-Vitrine-Visitor': visitor,
      ...(key !== null && { 'X-Vitrine-Site-Key': key }),
    });

  // Promise [access]: Guests upload only through the website, and their media show no user.
  it('are accepted only through the website, and have no owner', async () => {
    const { status, body } = await upload('192.0.2.1');
    expect([status, body.media?.user]).toEqual([201, null]);
    const { rows } = await host.database.query('select user_id from media where slug = $1', [
      body.media?.slug,
    ]);
    expect(rows).toEqual([{ user_id: null }]);
    for (const key of [null, 'j'.repeat(40)]) {
      const refused = await upload('192.0.2.1', key);
      expect([refused.status, refused.body]).toEqual([401, { message: 'Unauthenticated.' }]);
      expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
  });

  // Promise [access]: A guest counts for the visitor’s IPv4 address or IPv6 `/64`.
  it('count for the visitor’s IPv4 address or IPv6 /64', async () => {
    for (const [first, second, third, other] of [
      ['192.0.2.7', '192.0.2.7', '::ffff:192.0.2.7', '192.0.2.8'],
      ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:DB8:1:2:ffff::3', '2001:db8:1:3::1'],
    ] as const) {
      expect((await upload(first)).status).toBe(201);
      expect((await upload(second)).status).toBe(201);
      const refused = await upload(third);
      expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect((await upload(other)).status).toBe(201);
    }
  });
});

describe('an upload host with default settings', () => {
  // Promise [requests]: By default an address may send 30 requests a minute, and an account 120.
  it('allows 30 requests per minute without a token, 120 with one, and files of at most 100 MB', async () => {
    const host = await startUploadHost({ RATE_LIMIT_PUBLIC_PER_MINUTE: '', RATE_LIMIT_USER_PER_MINUTE: '' });
    try {
      const { token } = await host.createAccount();
      const announce = async (bytes: number) => {
        const connection = await RawConnection.open(host.url);
        connection.sendHead('POST', UPLOAD_PATH, {
          Authorization: `Bearer ${token}`,
          'Content-Type': MULTIPART_TYPE,
          'Content-Length': String(bytes),
        });
        return connection;
      };
      const large = await announce(110 * 1024 * 1024);
      const { status, headers, body } = await large.answer();
      large.hangUp();
      expect([status, JSON.parse(body)]).toEqual([
        422,
        {
          message: 'The file field must not be greater than 102400 kilobytes.',
          errors: { file: ['The file field must not be greater than 102400 kilobytes.'] },
        },
      ]);
      expect(headers['x-ratelimit-limit']).toBe('120');
      const anonymous = await fetch(host.url + UPLOAD_PATH, { method: 'POST' });
      expect([anonymous.status, anonymous.headers.get('X-RateLimit-Limit')]).toEqual([401, '30']);
    } finally {
      await host.close();
    }
  });
});
