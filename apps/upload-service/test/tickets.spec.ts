import { multipart } from './support/raw-http';
import { png } from './support/samples';
import { useUploadHost } from './support/upload-host';
import { UPLOAD_PATH, type UploadAnswer, Uploads } from './support/uploads';

const SITE = 'https://www.example.org';

describe('uploads with tickets from a web page', () => {
  const host = useUploadHost({
    UPLOADS_PER_DAY: '3',
    TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '7',
    RATE_LIMIT_USER_PER_MINUTE: '11',
    RATE_LIMIT_SITE_FACTOR: '100',
  });

  let addresses = 0;
  const freshAddress = (): string => `192.0.2.${++addresses}`;

  /** Uploads like a browser on a page of the site. */
  const upload = (token: string, address = freshAddress(), postId?: string): Promise<UploadAnswer> => {
    const file = { name: 'file', filename: 'a.png', body: png(3, 3) };
    const parts = postId === undefined ? [file] : [file, { name: 'post_id', body: postId }];
    return new Uploads(host, token).post(multipart(...parts), { Origin: SITE, 'X-Forwarded-For': address });
  };
  const ownerOf = async (slug = ''): Promise<number> => {
    const { rows } = await host.database.query<{ user_id: string }>(
      'select user_id from media where slug = $1',
      [slug],
    );
    return Number(rows[0]?.user_id);
  };

  // Promise [access]: Pages of every origin can upload with a ticket.
  it('are allowed for every origin by CORS, with all headers of the page', async () => {
    const preflight = await fetch(host.url + UPLOAD_PATH, {
      method: 'OPTIONS',
      headers: {
        Origin: SITE,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('POST');
    for (const header of ['authorization', 'content-type', 'idempotency-key']) {
      expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain(header);
    }
    const { token } = await host.createTicket({ guest: true });
    for (const secret of [token, `${token.slice(0, -1)}~`]) {
      const { headers } = await upload(secret);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')).toMatch(/Retry-After.*X-Request-Id/);
    }
  });

  it('belong to the ticket’s account; media of guests show no user', async () => {
    const member = await host.createTicket();
    const theirs = await upload(member.token);
    expect([theirs.status, theirs.body.media?.user]).toEqual([
      201,
      { username: expect.stringMatching(/^user_/), avatar: null },
    ]);
    expect(await ownerOf(theirs.body.media?.slug)).toBe(member.id);

    const guest = await host.createTicket({ guest: true });
    const nobodys = await upload(guest.token);
    expect([nobodys.status, nobodys.body.media?.user]).toEqual([201, null]);
    expect(await ownerOf(nobodys.body.media?.slug)).toBe(guest.id);
    expect(JSON.stringify(nobodys.body)).not.toContain('~');
  });

  // Promise [access]: Media that were uploaded with a ticket are unlisted.
  it('are unlisted until they are in a public post', async () => {
    for (const guest of [false, true]) {
      const { token } = await host.createTicket({ guest });
      const { body } = await upload(token);
      expect(body.media).toMatchObject({ unlisted: true, listed: false });
      const { rows } = await host.database.query('select unlisted from media where slug = $1', [
        body.media?.slug,
      ]);
      expect(rows).toEqual([{ unlisted: true }]);
    }
  });

  it('can be added only to posts of the same owner', async () => {
    const [mine, other] = [
      await host.createTicket({ guest: true }),
      await host.createTicket({ guest: true }),
    ];
    await host.database.query('insert into posts (slug, user_id) values ($1, $2)', ['aB3dE5f', mine.id]);
    expect((await upload(mine.token, freshAddress(), 'aB3dE5f')).status).toBe(201);
    const refused = await upload(other.token, freshAddress(), 'aB3dE5f');
    expect([refused.status, refused.body.message]).toEqual([422, 'The selected post_id is invalid.']);
  });

  it('are refused once the ticket or its account has ended', async () => {
    const late = await host.createTicket({ guest: true, expiresAt: new Date(Date.now() - 1000) });
    const gone = await host.createTicket({ guest: true });
    await host.database.query('update users set deleted_at = now() where id = $1', [gone.id]);
    const before = await host.countMedia();
    for (const { token } of [late, gone]) expect((await upload(token)).status).toBe(401);
    expect(await host.countMedia()).toBe(before);
    expect(await host.scratchFiles()).toEqual([]);
  });

  it('count for the address of guests and for the account of members', async () => {
    const address = freshAddress();
    const guests = [];
    for (let one = 0; one < 4; one++) guests.push(await host.createTicket({ guest: true }));
    const statuses = [];
    for (const { token } of guests) statuses.push((await upload(token, address)).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    expect((await upload(guests[3]!.token)).status).toBe(201);
    const member = await host.createTicket();
    const last = [];
    for (let one = 0; one < 4; one++) last.push((await upload(member.token)).status);
    expect(last).toEqual([201, 201, 201, 429]);
  });

  it('have the website’s rate limit: per address for guests, per account for members', async () => {
    const address = freshAddress();
    const limitsOf = ({ headers }: UploadAnswer): number[] =>
      ['Limit', 'Remaining'].map((name) => Number(headers.get(`X-RateLimit-${name}`)));
    const [one, other] = [await host.createTicket({ guest: true }), await host.createTicket({ guest: true })];
    expect(limitsOf(await upload(one.token, address))).toEqual([700, 699]);
    expect(limitsOf(await upload(other.token, address))).toEqual([700, 698]);
    const member = await host.createTicket();
    expect(limitsOf(await upload(member.token, address))).toEqual([1100, 1099]);
    const { token } = await host.createAccount();
    expect(limitsOf(await upload(token, address))).toEqual([11, 10]);
    expect(limitsOf(await upload('vtu_guessed', address))).toEqual([7, 6]);
  });
});
