import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { eventually } from '@vitrine/testing';
import {
  ask,
  type DialectAnswer,
  type DialectRequest,
  filePart,
  form,
  PICTURE,
  withToken,
} from '../support/dialect-client';
import { multipart, MULTIPART_TYPE, RawConnection } from '../support/raw-http';
import { png } from '../support/samples';
import { useUploadHost } from '../support/upload-host';

const BANNED = 'This file matches a banned hash and cannot be uploaded.';
const USED_UP = 'Your account has no space left for this file. Delete some of your files to make room.';
const BUSY = 'Service unavailable, please retry.';

interface Shape {
  readonly path: string;
  request(token: string): DialectRequest;
  /** The error answer in the form that the programs of the dialect read. */
  body(status: number, message: string): unknown;
}

const chevereto = (status: number, message: string) => ({
  status_code: status,
  error: { message, code: status },
  status_txt: STATUS_CODES[status],
});
const raw: DialectRequest = { headers: { 'Content-Type': 'image/png' }, body: PICTURE };

const SHAPES: readonly [string, Shape][] = [
  [
    'Imgur',
    {
      path: '/3/image',
      request: (token) => withToken(`Client-ID ${token}`, filePart('image')),
      body: (status, error) => ({ data: { error }, success: false, status }),
    },
  ],
  [
    'Imgur in XML',
    {
      path: '/3/image.xml',
      request: (token) => withToken(`Client-ID ${token}`, filePart('image')),
      body: (status, error) =>
        `<?xml version="1.0" encoding="utf-8"?>\n<data success="0" status="${status}"><error>${error}</error></data>\n`,
    },
  ],
  [
    'Chevereto',
    {
      path: '/api/1/upload',
      request: (token) => withToken(`Bearer ${token}`, filePart('source')),
      body: chevereto,
    },
  ],
  [
    'ImgBB with the key after the file',
    {
      path: '/1/upload',
      request: (token) => form({ name: 'image', body: PICTURE }, { name: 'key', body: token }),
      body: chevereto,
    },
  ],
  [
    'Zipline',
    {
      path: '/api/upload',
      request: (token) =>
        withToken(token, form({ name: 'file', body: png(3, 3) }, { name: 'file', body: PICTURE })),
      body: (statusCode, error) => ({ error, statusCode }),
    },
  ],
  [
    'Lsky Pro',
    {
      path: '/api/v1/upload',
      request: (token) => withToken(`Bearer ${token}`, filePart('file')),
      body: (_, message) => ({ status: false, message, data: {} }),
    },
  ],
  [
    'the earlier API',
    {
      path: '/uploads',
      request: (token) => withToken(`Bearer ${token}`, raw),
      body: (status, message) => {
        if (status === 451) return { error: message, message };
        return status === 507 ? { message, code: 'quota_bytes' } : { message };
      },
    },
  ],
  [
    'PUT',
    {
      path: '/a.png',
      request: (token) => withToken(`Bearer ${token}`, { ...raw, method: 'PUT' }),
      body: (_, message) => `${message}\n`,
    },
  ],
];

const sent = ({ body, text, headers }: DialectAnswer): unknown =>
  headers.get('content-type')?.startsWith('application/json') ? body : text;

describe('a file that is not accepted', () => {
  const host = useUploadHost();

  it.each(SHAPES)('is refused with 507 in the form of %s, and leaves nothing', async (_, shape) => {
    const { id, token } = await host.createAccount();
    await host.database.query('insert into account_quotas (user_id, bytes) values ($1, 10)', [id]);
    const answer = await ask(host, shape.path, shape.request(token));
    expect([answer.status, sent(answer)]).toEqual([507, shape.body(507, USED_UP)]);
    expect(await host.countMedia()).toBe(0);
    expect(await host.storedFiles()).toEqual([]);
    await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
  });

  // Promise [programs]: Each dialect’s errors have the form that its programs expect.
  it.each(SHAPES)('is refused with 451 in the form of %s, and leaves nothing', async (_, shape) => {
    await host.database.query(
      `insert into banned_hashes (kind, hash, reason) values ('sha256', $1, 'test') on conflict do nothing`,
      [createHash('sha256').update(PICTURE).digest()],
    );
    const { token } = await host.createAccount();
    const answer = await ask(host, shape.path, shape.request(token));
    expect([answer.status, sent(answer)]).toEqual([451, shape.body(451, BANNED)]);
    expect(await host.countMedia()).toBe(0);
    await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
  });
});

describe('an overloaded host', () => {
  const host = useUploadHost({
    TRUSTED_PROXIES: '127.0.0.1',
    MAX_CONCURRENT_UPLOADS: '1',
    MAX_CONCURRENT_REQUESTS: '1',
  });
  const held: RawConnection[] = [];
  afterEach(async () => {
    held.splice(0).forEach((connection) => connection.hangUp());
    await eventually(async () => expect((await fetch(`${host.url}/api/v1/media`)).status).toBe(405));
    await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
  });

  /** Begins a request from its own address, and leaves it unfinished. */
  const hold = async (path: string): Promise<void> => {
    const { token } = await host.createAccount();
    const connection = await RawConnection.open(host.url);
    held.push(connection);
    connection.sendHead('POST', path, {
      Authorization: `Bearer ${token}`,
      'X-Forwarded-For': `192.0.2.${held.length}`,
      'Content-Type': MULTIPART_TYPE,
      'Content-Length': '1000',
    });
    connection.send(multipart({ name: 'image', body: PICTURE }).subarray(0, 100));
  };
  const refusesInEveryForm = async (): Promise<void> => {
    for (const [name, { path, request, body }] of SHAPES) {
      const { token } = await host.createAccount();
      const answer = await ask(host, path, request(token));
      expect([name, answer.status, sent(answer)]).toEqual([name, 503, body(503, BUSY)]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  };

  it('refuses uploads with 503 in the form of their dialect if all slots are taken', async () => {
    await hold('/3/image');
    await eventually(async () => expect(await host.scratchFiles()).toHaveLength(1));
    await refusesInEveryForm();
  });

  it('refuses requests with 503 in the form of their dialect before anything is read', async () => {
    // Forms without a file take no upload slot, so they can take all places for requests.
    await hold('/3/album');
    await hold('/3/album');
    await eventually(async () => expect((await fetch(`${host.url}/api/v1/media`)).status).toBe(503));
    await refusesInEveryForm();
  });
});
