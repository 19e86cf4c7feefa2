import {
  type DialectAnswer,
  type DialectRequest,
  filePart,
  form,
  PICTURE,
  useDialectHost,
  withToken,
} from '../support/dialect-client';
import type { Account } from '../support/upload-host';

const ALL = ['read', 'upload', 'write'];
const EXPIRED = new Date(Date.now() - 1000);
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The items in the requests. Image and album belong to the owner of the callers' tokens. */
interface Given {
  readonly image: string;
  readonly spare: string;
  readonly album: string;
}

/** A kind of token, and its answers. `made` stands for the route's own success status. */
interface Asker {
  readonly name: string;
  /** Null for no token. */
  token(owner: Account): Promise<string | null>;
  readonly upload: 'made' | 401 | 403;
  /** The answer to an upload with the token in the path. */
  readonly uploadByPath: 'made' | 401;
  readonly change: 200 | 401 | 403;
  readonly read: 200 | 401;
}

const stage = useDialectHost();
const { ask } = stage;

const withScopes = (...scopes: string[]): Pick<Asker, 'token'> => ({
  token: (of) => stage.host.createToken(of, scopes),
});
const BAD = { upload: 401, uploadByPath: 401, change: 401, read: 401 } as const;

const ASKERS: readonly Asker[] = [
  { name: 'no token', token: async () => null, ...BAD, read: 200 },
  { name: 'every scope', ...withScopes(...ALL), upload: 'made', uploadByPath: 401, change: 200, read: 200 },
  { name: 'upload', ...withScopes('upload'), upload: 'made', uploadByPath: 'made', change: 403, read: 200 },
  { name: 'write', ...withScopes('write'), upload: 403, uploadByPath: 401, change: 200, read: 200 },
  { name: 'read', ...withScopes('read'), upload: 403, uploadByPath: 401, change: 403, read: 200 },
  {
    name: 'every scope of another account',
    token: async () => (await stage.host.createAccount(ALL)).token,
    ...{ upload: 'made', uploadByPath: 401, change: 403, read: 200 },
  },
  {
    name: 'a ticket',
    token: async () => (await stage.host.createTicket()).token,
    ...{ upload: 'made', uploadByPath: 401, change: 403, read: 200 },
  },
  {
    name: 'a ticket of a guest',
    token: async () => (await stage.host.createTicket({ guest: true })).token,
    ...{ upload: 'made', uploadByPath: 401, change: 403, read: 200 },
  },
  { name: 'every scope, expired', token: (of) => stage.host.createToken(of, ALL, EXPIRED), ...BAD },
  { name: 'upload, expired', token: (of) => stage.host.createToken(of, ['upload'], EXPIRED), ...BAD },
  {
    name: 'upload, revoked',
    token: async (of) => {
      const token = await stage.host.createToken(of, ['upload']);
      await stage.host.database.query(`delete from tokens where secret_sha256 = sha256($1::bytea)`, [token]);
      return token;
    },
    ...BAD,
  },
  { name: 'a malformed token', token: async () => 'vtr_x', ...BAD },
];

type Send = (token: string | null, given: Given) => Promise<DialectAnswer>;

const inHeader =
  (authorization: (token: string) => string) =>
  (path: string, request: DialectRequest, token: string | null): Promise<DialectAnswer> =>
    ask(path, token === null ? request : withToken(authorization(token), request));
const clientId = inHeader((token) => `Client-ID ${token}`);
const bearer = inHeader((token) => `Bearer ${token}`);
const withoutScheme = inHeader((token) => token);
const basic = inHeader((token) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`);
const raw: DialectRequest = { headers: { 'Content-Type': 'image/png' }, body: PICTURE };
const keyParts = (token: string | null) => (token === null ? [] : [{ name: 'key', body: token }]);

/**
 * Uploads with the token in the place where the programs of each dialect put it; the success status and the status
 * without a token.
 */
const UPLOADS: readonly [name: string, made: 200 | 201, without: 400 | 401, Send][] = [
  ['Imgur, Client-ID', 200, 401, (token) => clientId('/3/image', filePart('image'), token)],
  ['Imgur, Bearer', 200, 401, (token) => bearer('/3/upload', filePart('image'), token)],
  ['Imgur in XML', 200, 401, (token) => clientId('/3/image.xml', filePart('image'), token)],
  [
    'Chevereto, key in the query',
    200,
    400,
    (token) => ask(`/api/1/upload${token === null ? '' : `?key=${token}`}`, filePart('source')),
  ],
  [
    'Chevereto, key before the file',
    200,
    400,
    (token) => ask('/api/1/upload', form(...keyParts(token), { name: 'source', body: PICTURE })),
  ],
  [
    'ImgBB, key after the file',
    200,
    400,
    (token) => ask('/1/upload', form({ name: 'image', body: PICTURE }, ...keyParts(token))),
  ],
  [
    'ImgBB, X-API-Key',
    200,
    400,
    (token) => {
      const { headers, body } = form({ name: 'image', body: PICTURE });
      return ask('/1/upload', { body, headers: { ...headers, ...(token && { 'X-API-Key': token }) } });
    },
  ],
  ['Zipline', 200, 401, (token) => withoutScheme('/api/upload', filePart('file'), token)],
  ['Lsky Pro', 200, 401, (token) => bearer('/api/v1/upload', filePart('file'), token)],
  ['the earlier API', 201, 401, (token) => bearer('/uploads', raw, token)],
  ['PUT, Bearer', 201, 401, (token) => bearer('/a.png', { ...raw, method: 'PUT' }, token)],
  ['PUT, Basic', 201, 401, (token) => basic('/a.png', { ...raw, method: 'PUT' }, token)],
];

const UPLOADS_BY_PATH: readonly [string, 200 | 201, DialectRequest][] = [
  ['/3/image', 200, filePart('image')],
  ['/api/1/upload', 200, filePart('source')],
  ['/1/upload', 200, filePart('image')],
  ['/api/upload', 200, filePart('file')],
  ['/api/v1/upload', 200, filePart('file')],
  ['/uploads', 201, raw],
  ['/a.png', 201, { ...raw, method: 'PUT' }],
  ['/api/v1/media', 201, filePart('file')],
  ['/', 201, filePart('file')],
];

const fields = (body: string): DialectRequest => ({ headers: FORM, body });

const CHANGES: readonly [string, (given: Given) => readonly [path: string, DialectRequest]][] = [
  ['change an image', ({ image }) => [`/3/image/${image}`, fields('title=x')]],
  ['delete an image', ({ image }) => [`/3/image/${image}`, { method: 'DELETE' }]],
  ['change an album', ({ album }) => [`/3/album/${album}`, { method: 'PUT', ...fields('title=x') }]],
  ['add to an album', ({ album, spare }) => [`/3/album/${album}/add`, fields(`ids[]=${spare}`)]],
  [
    'remove from an album',
    ({ album, image }) => [`/3/album/${album}/remove_images?ids=${image}`, { method: 'DELETE' }],
  ],
  ['delete an album', ({ album }) => [`/3/album/${album}`, { method: 'DELETE' }]],
];

const READS: readonly [string, (given: Given) => string][] = [
  ['an image', ({ image }) => `/3/image/${image}`],
  ['an album', ({ album }) => `/3/album/${album}`],
  ['the images of an album', ({ album }) => `/3/album/${album}/images`],
];

const upload = async (): Promise<string> =>
  (await clientId('/3/image', filePart('image'), stage.account.token)).body.data.id;
const album = async (...ids: string[]): Promise<string> =>
  (await bearer('/3/album', fields(ids.map((id) => `ids[]=${id}`).join('&')), stage.account.token)).body.data
    .id;
const give = async (): Promise<Given> => {
  const [image, spare, third] = [await upload(), await upload(), await upload()];
  return { image, spare, album: await album(image, third) };
};
/** The status for each caller. */
const answers = async (
  send: (token: string | null) => Promise<DialectAnswer>,
): Promise<Record<string, number>> => {
  const statuses: Record<string, number> = {};
  for (const asker of ASKERS) statuses[asker.name] = (await send(await asker.token(stage.account))).status;
  return statuses;
};
const expected = (statusOf: (asker: Asker) => number): Record<string, number> =>
  Object.fromEntries(ASKERS.map((asker) => [asker.name, statusOf(asker)]));

describe('the routes of dialects', () => {
  // Promise [programs]: Dialects require the same scopes as the API.
  it.each(UPLOADS)('upload for tokens with the scope upload: %s', async (_, made, without, send) => {
    const given = await give();
    const before = await stage.host.countMedia();
    const statuses = expected(({ upload, name }) => {
      if (name === 'no token') return without;
      return upload === 'made' ? made : upload;
    });
    expect(await answers((token) => send(token, given))).toEqual(statuses);
    const accepted = Object.values(statuses).filter((status) => status === made).length;
    expect(await stage.host.countMedia()).toBe(before + accepted);
  });

  it.each(UPLOADS_BY_PATH)(
    'upload with a token in the path that may upload and nothing else: %s',
    async (path, made, request) => {
      const withPath = (token: string | null) => ask(`/c/${token ?? 'none'}${path}`, request);
      expect(await answers(withPath)).toEqual(
        expected(({ uploadByPath }) => (uploadByPath === 'made' ? made : uploadByPath)),
      );
    },
  );

  it.each(CHANGES)('%s for the owner with the scope write', async (_, requestOf) => {
    const statuses = await answers(async (token) => {
      const [path, request] = requestOf(await give());
      return bearer(path, request, token);
    });
    expect(statuses).toEqual(expected(({ change }) => change));
  });

  it('create an album of own images with the scope write', async () => {
    const statuses = await answers(async (token) => {
      const { image } = await give();
      return bearer('/3/album', fields(`ids[]=${image}`), token);
    });
    // Another account does not own these images.
    expect(statuses).toEqual({ ...expected(({ change }) => change), 'every scope of another account': 400 });
  });

  it.each(CHANGES)('%s with no token in the path', async (_, requestOf) => {
    const token = await stage.host.createToken(stage.account, ['upload']);
    const [path, request] = requestOf(await give());
    expect((await ask(`/c/${token}${path}`, request)).status).toBe(403);
  });

  it.each(READS)('show %s to everyone, but not with a bad token', async (_, pathOf) => {
    const path = pathOf(await give());
    expect(await answers((token) => bearer(path, { method: 'GET' }, token))).toEqual(
      expected(({ read }) => read),
    );
  });
});
