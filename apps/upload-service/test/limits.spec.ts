import { execFileSync } from 'node:child_process';
import { eventually, findFfmpeg } from '@vitrine/testing';
import { MULTIPART_TYPE, multipart, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost, type UploadHost } from './support/upload-host';
import { UPLOAD_PATH, Uploads } from './support/uploads';

const BODY = multipart({ name: 'file', filename: 'a.png', body: png(9, 9) });

/** Begins an upload whose body doesn't arrive. */
async function begin(host: UploadHost, by: Account, length = BODY.length): Promise<RawConnection> {
  const connection = await RawConnection.open(host.url);
  connection.sendHead('POST', UPLOAD_PATH, {
    Authorization: `Bearer ${by.token}`,
    'Content-Type': MULTIPART_TYPE,
    'Content-Length': String(length),
  });
  connection.send(BODY.subarray(0, 10));
  return connection;
}

describe('the limits of an upload', () => {
  const host = useUploadHost({
    UPLOADS_PER_DAY: '3',
    VIDEO_TOOLS: 'none',
  });
  let account: Account;
  beforeEach(async () => {
    account = await host.createAccount();
  });

  const nothingStays = () => eventually(async () => expect(await host.scratchFiles()).toEqual([]));

  // Promise [files]: Only successful uploads count for the day; the 429 names the seconds to the next one.
  it('counts successful files per account and day, and names the seconds to the next day', async () => {
    const refused = await new Uploads(host, account.token).file(Buffer.from('no picture'));
    expect(refused.status).toBe(422);
    for (let i = 0; i < 3; i++) await uploadFile(host, account, png(2, 2));
    const connection = await begin(host, account);
    const answer = await connection.answer();
    const untilMidnight = (Date.UTC(...utcDay(1)) - Date.now()) / 1000;
    expect([answer.status, JSON.parse(answer.body)]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(Math.abs(Number(answer.headers['retry-after']) - untilMidnight)).toBeLessThan(10);
    connection.hangUp();
    await uploadFile(host, await host.createAccount(), png(2, 2));
  });

  it('refuses videos if VIDEO_TOOLS is none, and stores nothing', async () => {
    const before = await host.countMedia();
    const input = ['-f', 'lavfi', '-i', 'color=s=16x16:d=0.2', '-f', 'matroska', 'pipe:1'];
    const film = execFileSync(findFfmpeg(), ['-nostdin', '-v', 'error', ...input]);
    const { status, body } = await new Uploads(host, account.token).file(film, { filename: 'a.mkv' });
    const message = 'This server does not accept videos because ffmpeg is not installed.';
    expect([status, body]).toEqual([422, { message, errors: { file: [message] } }]);
    expect(await host.countMedia()).toBe(before);
    await nothingStays();
  });

  // Promise [files]: Simultaneous uploads can’t exceed the daily number of files.
  it('accepts exactly the daily quota of simultaneous uploads', async () => {
    const before = await host.countMedia();
    const uploads = await Promise.allSettled(
      Array.from({ length: 4 }, () => uploadFile(host, account, png(2, 2))),
    );
    expect(uploads.filter((upload) => upload.status === 'fulfilled')).toHaveLength(3);
    expect(await host.countMedia()).toBe(before + 3);
    expect(await host.storedFiles()).toHaveLength(await host.countMedia());
    await nothingStays();
  });

  // Promise [files]: An upload whose token is revoked before its end is refused, and leaves nothing.
  it('refuses an upload whose token is revoked before its end, and keeps nothing of it', async () => {
    const before = await host.countMedia();
    const connection = await begin(host, account);
    await eventually(async () => expect(await host.scratchFiles()).toHaveLength(1));
    await host.database.query('delete from tokens where user_id = $1', [account.id]);
    connection.send(BODY.subarray(10));
    expect((await connection.answer()).status).toBe(401);
    connection.hangUp();
    await nothingStays();
    expect(await host.countMedia()).toBe(before);
  });
});

describe('a slow upload', () => {
  const host = useUploadHost({ UPLOAD_IDLE_SECONDS: '1', UPLOAD_TOTAL_SECONDS: '4' });

  it.each([
    ['stops sending', () => undefined],
    ['trickles', (connection: RawConnection) => setInterval(() => connection.send('x'), 100)],
  ])('is stopped if its client %s', async (_, sendOn) => {
    const connection = await begin(host, await host.createAccount(), 100_000);
    const timer = sendOn(connection);
    const answer = await connection.answer();
    clearInterval(timer);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      408,
      { message: 'The request took too long.' },
    ]);
    await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    // The connection of a body that never ends is closed.
    await eventually(() => expect(connection.closed).toBe(true));
  });
});

const utcDay = (offset: number): [number, number, number] => {
  const now = new Date();
  return [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset];
};

describe('simultaneous uploads', () => {
  const host = useUploadHost({
    // The first uploads stay silent while the others begin.
    UPLOAD_IDLE_SECONDS: '600',
    // One caller may have half.
    MAX_CONCURRENT_UPLOADS: '8',
  });

  // Promise [files]: Simultaneous uploads are limited for each caller and in total.
  it('limits simultaneous uploads per caller and in total', async () => {
    const account = await host.createAccount();
    const own = await Promise.all(Array.from({ length: 4 }, () => begin(host, account)));
    await eventually(async () => expect(await host.scratchFiles()).toHaveLength(4));
    const fifth = await begin(host, account);
    expect(await fifth.answer()).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    const other = await host.createAccount();
    const others = await Promise.all([begin(host, other), begin(host, other)]);
    await eventually(async () => expect(await host.scratchFiles()).toHaveLength(6));
    // A caller may have no more places than are free, so that others find one.
    const third = await begin(host, other);
    expect(await third.answer()).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    const late = [
      await begin(host, await host.createAccount()),
      await begin(host, await host.createAccount()),
    ];
    await eventually(async () => expect(await host.scratchFiles()).toHaveLength(8));
    const ninth = await begin(host, await host.createAccount());
    expect(await ninth.answer()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    const metrics = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^vitrine_http_shed_total 1$/m);
    for (const connection of [...own, fifth, ...others, third, ...late, ninth]) connection.hangUp();
    await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    await uploadFile(host, other, png(2, 2));
  });
});

describe('a file that takes too long to read', () => {
  const host = useUploadHost({ INSPECTION_TIMEOUT_MS: '10', UPLOADS_PER_DAY: '10' });

  it('is refused with its own message, and counts as ten files of the daily quota', async () => {
    const account = await host.createAccount();
    const elements = '<g fill="red"><path d="M0 0h1v1z"/></g>'.repeat(100_000);
    const slow = `<svg xmlns="http://www.w3.org/2000/svg">${elements}</svg>`;
    const upload = () => new Uploads(host, account.token).file(Buffer.from(slow), { filename: 'a.svg' });
    const refused = await upload();
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { message: 'The file field takes too long to read. The file may be damaged or have too many parts.' },
    ]);
    expect((await upload()).status).toBe(429);
  });
});
