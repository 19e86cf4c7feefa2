import type { MediaResource } from '@vitrine/contracts/api';
import { eventually } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { MULTIPART_TYPE, multipart } from './support/raw-http';
import { png } from './support/samples';
import { type Account, useUploadHost } from './support/upload-host';

const SETTINGS = {
  MERGE_EQUAL_FILES_AFTER_SECONDS: '1',
  CLEANUP_INTERVAL_SECONDS: '1',
  SWEEP_INTERVAL_SECONDS: '1',
};
/** Values that differ between all answers. */
const DIFFERING = ['date', 'x-request-id', 'x-ratelimit-reset', 'x-ratelimit-remaining'];

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

describe('originals with equal bytes', () => {
  const host = useUploadHost(SETTINGS);
  const picture = png(20, 10);

  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => !DIFFERING.includes(name)),
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  });
  const upload = async (account: Account, body: Uint8Array): Promise<Answer & { media: MediaResource }> => {
    const response = await fetch(`${host.url}/api/v1/media`, {
      method: 'POST',
      body: new Uint8Array(multipart({ name: 'file', filename: 'a', body })),
      headers: { 'Content-Type': MULTIPART_TYPE, Authorization: `Bearer ${account.token}` },
    });
    const answer = await answerOf(response);
    return { ...answer, media: (JSON.parse(answer.body) as { media: MediaResource }).media };
  };
  const processed = async (media: MediaResource): Promise<MediaResource> => {
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'variant' });
    return media;
  };
  const ask = async ({ slug }: MediaResource, init: RequestInit = {}): Promise<Answer> =>
    answerOf(await fetch(`${host.url}/f/${slug}.png`, init));
  const remove = async (account: Account, { slug }: MediaResource): Promise<void> => {
    const headers = { Authorization: `Bearer ${account.token}` };
    const { status } = await fetch(`${host.url}/3/image/${slug}`, { method: 'DELETE', headers });
    expect(status).toBe(200);
  };
  const originals = async (): Promise<string[]> =>
    (await host.storedFiles()).filter((name) => !name.includes('_'));
  /** An answer without what names the media item. */
  const anonymous = ({ status, headers, body }: Answer, { id, slug }: MediaResource): string =>
    JSON.stringify({ status, headers, body })
      .replaceAll(slug, 'SLUG')
      .replaceAll(`\\"id\\":${id}`, 'ID')
      .replaceAll(/u(ser)?_[0-9a-f]{12}/g, 'NAME')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

  // Promise [files]: Equal originals are stored once, and no answer shows whether another user has the file.
  it('get the same answer whether another user has the file or not, and are stored once later, until the last is deleted', async () => {
    const [ada, bob] = [await host.createAccount(), await host.createAccount()];
    const first = await upload(ada, picture);
    await processed(first.media);
    const second = await upload(bob, picture);
    expect(anonymous(second, second.media)).toBe(anonymous(first, first.media));
    await processed(second.media);
    const asked: RequestInit[] = [
      {},
      { method: 'HEAD' },
      { headers: { Range: 'bytes=3-9' } },
      { headers: { 'If-None-Match': '"other"' } },
    ];
    const before: Answer[] = [];
    for (const init of asked) before.push(await ask(second.media, init));
    expect(before[0]?.body).toBe(picture.toString('latin1'));

    await eventually(async () => expect(await originals()).toEqual([`${first.media.slug}.png`]));

    for (const [index, init] of asked.entries()) expect(await ask(second.media, init)).toEqual(before[index]);
    // Each owner pays for the whole file.
    const { rows } = await host.database.query(
      'select user_id, sum(bytes)::int as bytes from storage_deltas group by user_id order by user_id',
    );
    expect(rows.map(({ bytes }) => bytes)).toEqual([picture.length, picture.length]);

    await remove(ada, first.media);
    await eventually(async () => expect((await ask(first.media)).status).toBe(404));
    await eventually(async () =>
      expect((await host.storedFiles()).join()).not.toContain(`${first.media.slug}_`),
    );
    expect(await ask(second.media)).toEqual(before[0]);

    await remove(bob, second.media);
    await eventually(async () => expect(await host.storedFiles()).toEqual([]));
    expect((await ask(second.media)).status).toBe(404);
  });

  it('still serves the others if one of them is rejected', async () => {
    const [ada, bob] = [await host.createAccount(), await host.createAccount()];
    const first = await processed((await upload(ada, png(21, 10))).media);
    const second = await processed((await upload(bob, png(21, 10))).media);
    await eventually(async () => expect(await originals()).toEqual([`${first.slug}.png`]));
    await host.database.query(`update media set moderation_status = 'rejected' where id = $1`, [first.id]);
    await eventually(async () => expect((await ask(first)).status).toBe(404));
    expect((await ask(second)).status).toBe(200);
  });
});
