import { eventually, startWebhookReceiver, type WebhookReceiver } from '@vitrine/testing';
import { assertDocumented } from './support/openapi';
import { png } from './support/samples';
import { UPLOAD_PATH, Uploads } from './support/uploads';
import { type Account, startUploadHost, type UploadHost } from './support/upload-host';

describe('an upload from an address', () => {
  let host: UploadHost;
  let account: Account;
  let source: WebhookReceiver;
  /** What the server does with the next request. */
  let answer: Parameters<typeof startWebhookReceiver>[0];

  beforeAll(async () => {
    // The server of the test is on the local network.
    host = await startUploadHost({
      UPLOAD_BY_URL: 'private',
      MAX_FILE_BYTES: '200000',
      UPLOADS_PER_DAY: '1000',
    });
    account = await host.createAccount();
    source = await startWebhookReceiver((request, response) => answer?.(request, response));
  });
  afterAll(async () => {
    await source?.stop();
    await host?.close();
  });

  const fetchFile = async (
    fields: Record<string, string>,
    to = host,
    token: string | null = account.token,
    key?: string,
  ) => {
    const response = await fetch(`${to.url}${UPLOAD_PATH}/url`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
    });
    const { status, headers } = response;
    const text = await response.text();
    assertDocumented('POST', `${UPLOAD_PATH}/url`, { status, headers, body: text });
    return {
      status,
      body: JSON.parse(text) as { media: Record<string, unknown>; errors: Record<string, string[]> },
    };
  };
  const urlErrors = async (to = host, { token } = account): Promise<readonly string[] | undefined> => {
    const { status, body } = await fetchFile({ url: source.url }, to, token);
    expect(status).toBe(422);
    return body.errors['url'] ?? body.errors['file'];
  };

  // Promise [files]: With `UPLOAD_BY_URL`, a file is fetched from an address as if it had been sent.
  it('stores the file with the texts of the form', async () => {
    answer = (_, response) => response.end(png(4, 4));
    const { status, body } = await fetchFile({ url: source.url, title: 'From afar', unlisted: 'true' });
    expect(status).toBe(201);
    expect(body.media).toMatchObject({ title: 'From afar', unlisted: true, width: 4 });
  });

  it('repeats the answer of an idempotency key without fetching again', async () => {
    const once = (): ReturnType<typeof fetchFile> =>
      fetchFile({ url: source.url }, host, account.token, 'from-afar');
    const asked = new Promise<{ end(bytes: Buffer): void }>((resolve) => {
      answer = (_, response) => resolve(response);
    });
    const upload = once();
    const remote = await asked;
    expect((await once()).status).toBe(409);
    remote.end(png(3, 3));
    const { status, body } = await upload;
    expect([status, body.media['width']]).toEqual([201, 3]);
    answer = (_, response) => response.writeHead(404).end();
    expect(await once()).toEqual({ status, body });
  });

  it('refuses wrong content, endless and broken bodies, and leaves no file', async () => {
    const uploads = new Uploads(host, account.token);
    const before = await uploads.footprint();
    answer = (_, response) => response.end('<html>Log in</html>');
    expect(await urlErrors()).toEqual(['The file field must be a file of type: image/*, video/*.']);
    answer = (_, response) => response.writeHead(200, { 'Content-Length': 1e9 }).write(png(4, 4));
    expect(await urlErrors()).toEqual(['The file field must not be greater than 195 kilobytes.']);
    answer = (_, response) => {
      const more = (): void =>
        void (
          response.destroyed ||
          (response.write(png(64, 64)) ? setImmediate(more) : response.once('drain', more))
        );
      more();
    };
    expect(await urlErrors()).toEqual(['The file field must not be greater than 195 kilobytes.']);
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write(png(4, 4), () => response.destroy());
    };
    expect(await urlErrors()).toEqual(['The connection to the server was lost.']);
    answer = (_, response) => response.writeHead(302, { Location: 'ftp://127.0.0.1/' }).end();
    expect(await urlErrors()).toEqual(['The address must be an http or https address.']);
    const { status, body } = await fetchFile({ url: 'http://nowhere.invalid/' });
    expect([status, body.errors]).toEqual([422, { url: ['The host has no address.'] }]);
    expect(await uploads.footprint()).toEqual(before);
  });

  it('refuses slow bodies, and leaves no file', async () => {
    const hurried = await startUploadHost({ UPLOAD_BY_URL: 'private', UPLOAD_IDLE_SECONDS: '1' });
    try {
      const own = await hurried.createAccount();
      answer = (_, response) => response.write(png(4, 4));
      expect(await urlErrors(hurried, own)).toEqual(['The server is too slow.']);
      answer = () => undefined;
      expect(await urlErrors(hurried, own)).toEqual(['The server is too slow.']);
      await eventually(async () => expect(await hurried.scratchFiles()).toEqual([]));
      expect([await hurried.countMedia(), await hurried.storedFiles()]).toEqual([0, []]);
    } finally {
      await hurried.close();
    }
  });

  it('gives one uploader four fetches at a time, and others go on', async () => {
    const held: { end(bytes: Buffer): void }[] = [];
    answer = (_, response) => void held.push(response);
    const waiting = Array.from({ length: 6 }, () => fetchFile({ url: source.url }));
    expect(await firstTwo(waiting)).toEqual([429, 429]);
    answer = (_, response) => response.end(png(5, 5));
    const other = await host.createAccount();
    expect((await fetchFile({ url: source.url }, host, other.token)).status).toBe(201);
    for (const response of held) response.end(Buffer.from(png(6, 6)));
    await Promise.all(waiting);
  });

  it('is refused without a token, without an address, and where the site does not offer it', async () => {
    expect((await fetchFile({ url: source.url }, host, null)).status).toBe(401);
    expect((await fetchFile({ title: 'No address' })).body.errors).toEqual({
      url: ['The url field is required.'],
    });
    const plain = await startUploadHost();
    const { token } = await plain.createAccount();
    expect((await fetchFile({ url: source.url }, plain, token)).status).toBe(403);
    await plain.close();
  });
});

/** The statuses of the first two answers. */
const firstTwo = (answers: readonly Promise<{ status: number }>[]): Promise<readonly number[]> =>
  new Promise((resolve) => {
    const statuses: number[] = [];
    for (const answer of answers) {
      void answer.then(({ status }) => {
        statuses.push(status);
        if (statuses.length === 2) resolve([...statuses]);
      });
    }
  });
