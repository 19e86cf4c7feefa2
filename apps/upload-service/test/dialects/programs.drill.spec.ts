import { execFile, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeUnless } from '@vitrine/testing';
import imgbbUploader from 'imgbb-uploader';
import { ImgurClient } from 'imgur';
import { DELETION, ORIGINAL, PICTURE, SLUG, useDialectHost } from '../support/dialect-client';
import { RawConnection } from '../support/raw-http';

// Programs for other hosts; only the address to which they send is changed.

const stage = useDialectHost();
const { rowOf } = stage;
let folder: string;
/** The picture that the programs upload. */
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-programs-'));
  path = join(folder, 'harbour.png');
  await writeFile(path, PICTURE);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The bytes that a link of an answer leads to. */
const servedAt = async (link: string): Promise<Buffer> => {
  expect(link).toEqual(ORIGINAL);
  return Buffer.from(await (await fetch(stage.host.url + new URL(link).pathname)).arrayBuffer());
};

describe('imgur (npm)', () => {
  const clientOf = (credentials: ConstructorParameters<typeof ImgurClient>[0]): ImgurClient => {
    const client = new ImgurClient(credentials);
    client.fetcher.defaults.baseURL = stage.host.url;
    return client;
  };

  // Promise [programs]: Unchanged programs work if only the address is set.
  it.each<[string, () => Parameters<ImgurClient['upload']>[0]]>([
    ['a stream', () => ({ image: createReadStream(path), type: 'stream', title: 'Harbour' })],
    ['base64', () => ({ image: PICTURE.toString('base64'), type: 'base64', title: 'Harbour' })],
  ])('uploads %s, reads, changes and deletes it', async (_, image) => {
    const anonymous = clientOf({ clientId: stage.account.token });
    const made = await anonymous.upload(image());
    expect(made).toMatchObject({
      success: true,
      status: 200,
      data: { id: SLUG, title: 'Harbour', width: 40 },
    });
    const { id, link, deletehash } = made.data;
    expect(await servedAt(link)).toEqual(PICTURE);

    const owner = clientOf({ accessToken: stage.account.token });
    expect(await owner.updateImage({ imageHash: id, title: 'Pier' })).toMatchObject({ success: true });
    expect((await owner.getImage(id)).data).toMatchObject({ id, title: 'Pier', link });

    expect(await anonymous.deleteImage(deletehash)).toMatchObject({ success: true, data: true });
    expect(await rowOf(id)).toBeUndefined();
  });

  it('understands a refusal', async () => {
    const refused = await clientOf({ clientId: 'no token' }).upload({ image: 'AAAA', type: 'base64' });
    expect(refused).toMatchObject({ success: false, status: 401 });
  });
});

describe('imgbb-uploader (npm)', () => {
  it('uploads to Chevereto at another address', async () => {
    const answer = await imgbbUploader({
      apiKey: stage.account.token,
      cheveretoHost: stage.host.url,
      imagePath: path,
      customPayload: { title: 'Harbour' },
    });
    expect(answer).toMatchObject({ status_code: 200, image: { title: 'Harbour', delete_url: DELETION } });
    expect(await servedAt(answer.image.url)).toEqual(PICTURE);
  });

  describe('for ImgBB, whose address is fixed in it', () => {
    const usual = https.globalAgent;
    beforeAll(() => {
      // Node's own agent opens the connection to this host, so the request is byte by byte that of the program.
      https.globalAgent = Object.assign(new https.Agent(), {
        createConnection: () => connect(Number(new URL(stage.host.url).port), '127.0.0.1'),
      });
    });
    afterAll(() => {
      https.globalAgent = usual;
    });

    it('uploads, and understands a refusal', async () => {
      const answer = await imgbbUploader({ apiKey: stage.account.token, imagePath: path, name: 'harbour' });
      expect(answer).toMatchObject({ id: SLUG, width: 40, delete_url: DELETION });
      expect(await servedAt(answer.url)).toEqual(PICTURE);
      await expect(imgbbUploader({ apiKey: 'x', imagePath: path })).rejects.toThrow('Unauthenticated.');
    });
  });
});

describe('PicGo', () => {
  it('uploads with the request that version 3.1.0 sends to Imgur', async () => {
    const boundary = '--------------------------9f86205d65501cc253062e37';
    const part = (name: string, value: string): string =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = Buffer.from(
      `${part('image', PICTURE.toString('base64'))}${part('type', 'base64')}${part('name', 'häfen.png')}--${boundary}--\r\n`,
    );
    const connection = await RawConnection.open(stage.host.url);
    connection.sendHead('POST', '/3/image', {
      Accept: 'application/json, text/plain, */*',
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      Authorization: `Client-ID ${stage.account.token}`,
      Host: 'api.imgur.com',
      'User-Agent': 'PicGo',
      'Content-Length': String(body.length),
      'Accept-Encoding': 'gzip, compress, deflate, br',
      Connection: 'close',
    });
    connection.send(body);
    const answer = JSON.parse((await connection.answer()).body) as {
      success: boolean;
      data: { link: string };
    };
    connection.hangUp();
    expect(answer.success).toBe(true);
    expect(await servedAt(answer.data.link)).toEqual(PICTURE);
  });
});

const missing = spawnSync('curl', ['--version']).status === 0 ? null : 'curl is not installed';
describeUnless(missing, 'curl', () => {
  const curl = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('curl', ['-sS', '--noproxy', '*', ...args])).stdout;

  it('uploads as in the script for Flameshot that Zipline 4 generates', async () => {
    const answer = await curl(
      ...[
        '-H',
        `authorization: ${stage.account.token}`,
        `${stage.host.url}/api/upload`,
        '-F',
        `file=@${path}`,
      ],
      ...['-H', 'content-type: multipart/form-data'],
    );
    const { files } = JSON.parse(answer) as { files: { url: string }[] };
    expect(files).toHaveLength(1);
    expect(await servedAt(files[0]!.url)).toEqual(PICTURE);
  });

  it('uploads with -T, and prints the link', async () => {
    const answer = await curl('-u', `ada:${stage.account.token}`, '-T', path, `${stage.host.url}/`);
    expect(await servedAt(answer.trim())).toEqual(PICTURE);
  });
});
