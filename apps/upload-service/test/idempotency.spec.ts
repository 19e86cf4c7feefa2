import { eventually } from '@vitrine/testing';
import { BOUNDARY, multipart, MULTIPART_TYPE, type Part } from './support/raw-http';
import { png } from './support/samples';
import { type Account, useUploadHost } from './support/upload-host';
import { type UploadAnswer, Uploads } from './support/uploads';

describe('uploads with an Idempotency-Key', () => {
  const host = useUploadHost({ UPLOADS_PER_DAY: '3' });
  let account: Account;
  beforeEach(async () => {
    account = await host.createAccount();
  });

  const file = (body: Uint8Array, name = 'a.png'): Part => ({ name: 'file', filename: name, body });
  const upload = (key: string, parts: readonly Part[], boundary = BOUNDARY): Promise<UploadAnswer> => {
    const bytes = multipart(...parts)
      .toString('latin1')
      .replaceAll(BOUNDARY, boundary);
    return new Uploads(host, account.token).post(Buffer.from(bytes, 'latin1'), {
      'Content-Type': MULTIPART_TYPE.replace(BOUNDARY, boundary),
      'Idempotency-Key': key,
    });
  };
  const replayed = ({ headers }: UploadAnswer): boolean => headers.get('Idempotent-Replayed') === 'true';
  const nothingIsLeft = () => eventually(async () => expect(await host.scratchFiles()).toEqual([]));
  const filesToday = async (): Promise<number> => {
    const { rows } = await host.database.query<{ files: number }>(
      'select files from upload_counts where subject = $1',
      [`user:${account.id}`],
    );
    return rows[0]?.files ?? 0;
  };

  const accepted = async (): Promise<number> => {
    const metrics = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
    return Number(/^vitrine_uploads_total\{outcome="accepted"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  };

  // Promise [requests]: Repeated uploads with one key create one media item, with any multipart encoding.
  it('create one media item and count once, for repeated requests with any multipart encoding', async () => {
    const before = await host.countMedia();
    const acceptedBefore = await accepted();
    const stored = (await host.storedFiles()).length;
    const note: Part = { name: 'note', body: 'hello' };
    const first = await upload('once', [file(png(3, 3)), note]);
    expect([first.status, replayed(first)]).toEqual([201, false]);
    const again = [
      await upload('once', [file(png(3, 3)), note]),
      await upload('once', [note, file(png(3, 3), 'another name.gif')], 'another-boundary'),
    ];
    for (const answer of again) {
      expect([answer.status, replayed(answer)]).toEqual([201, true]);
      expect(answer.body).toEqual(first.body);
      expect(answer.headers.get('Location')).toBe(first.headers.get('Location'));
      expect(answer.headers.get('Location')).toContain(first.body.media?.slug);
    }
    expect(await host.countMedia()).toBe(before + 1);
    expect(await host.storedFiles()).toHaveLength(stored + 1);
    expect(await filesToday()).toBe(1);
    expect(await accepted()).toBe(acceptedBefore + 1);
    await nothingIsLeft();
  });

  it('are refused if the parts differ under the same key', async () => {
    expect((await upload('other', [file(png(3, 3))])).status).toBe(201);
    const others: readonly (readonly Part[])[] = [
      [file(png(4, 4))],
      [file(png(3, 3)), { name: 'note', body: 'hello' }],
      [file(png(3, 3)), { name: 'extra', filename: 'b', body: 'hello' }],
      [file(png(3, 3)), { name: 'extra', filename: 'b', body: 'hullo' }],
    ];
    const longNote = (end: string): readonly Part[] => [
      file(png(3, 3)),
      { name: 'note', body: 'x'.repeat(100_000) + end },
    ];
    expect((await upload('long', longNote('a'))).status).toBe(201);
    expect((await upload('long', longNote('b'))).status).toBe(422);
    for (const parts of others) {
      const refused = await upload('other', parts);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['idempotency_key']]);
    }
    expect(await filesToday()).toBe(2);
    await nothingIsLeft();
  });

  it('are replayed after the daily quota is used up, while new uploads are refused', async () => {
    for (const key of ['one', 'two', 'three'])
      expect((await upload(key, [file(png(3, 3))])).status).toBe(201);
    expect(replayed(await upload('two', [file(png(3, 3))]))).toBe(true);
    for (let n = 0; n < 2; n++) {
      const refused = await upload('four', [file(png(3, 3))]);
      expect([refused.status, replayed(refused)]).toEqual([429, false]);
    }
    expect(await filesToday()).toBe(3);
  });

  it('replay a refusal', async () => {
    const parts = [file(png(3, 3)), { name: 'post_id', body: '99999999' }];
    const first = await upload('foreign', parts);
    expect(first.body.message).toBe('The selected post_id is invalid.');
    const again = await upload('foreign', parts);
    expect([again.status, replayed(again), again.body]).toEqual([422, true, first.body]);
  });

  it('return 409 while the first is in progress, and leave nothing of the second', async () => {
    const before = await host.countMedia();
    const lock = await host.database.connect();
    await lock.query('begin; lock table media in share row exclusive mode');
    const first = upload('slow', [file(png(3, 3))]);
    await eventually(async () => {
      const { rows } = await lock.query(
        `select 1 from pg_locks where not granted and relation = 'media'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rows).toHaveLength(1);
    });
    const second = await upload('slow', [file(png(3, 3))]);
    expect([second.status, second.body]).toEqual([
      409,
      { message: 'A request with this idempotency key is still in progress.' },
    ]);
    await lock.query('rollback');
    lock.release();
    expect((await first).status).toBe(201);
    expect(await host.countMedia()).toBe(before + 1);
    await nothingIsLeft();
  });

  it('that wait for each other are registered in one transaction, which marks each key', async () => {
    const stored = (await host.storedFiles()).length;
    const lock = await host.database.connect();
    await lock.query('begin; lock table media in share row exclusive mode');
    const keys = ['first', 'second', 'third'];
    const uploads = Promise.all(keys.map((key) => upload(key, [file(png(3, 3))])));
    await eventually(async () => expect(await host.storedFiles()).toHaveLength(stored + 3));
    await lock.query('rollback');
    lock.release();
    const slugs = (await uploads).map(({ body }) => body.media?.slug);
    const { rows } = await host.database.query(
      'select count(distinct xmin::text)::int as transactions from media where slug = any($1)',
      [slugs],
    );
    expect(rows).toEqual([{ transactions: 2 }]);
    const { rows: marked } = await host.database.query(
      'select count(*)::int as keys from idempotency_keys where carried_out and answer is not null and id in (select id from idempotency_keys order by expires_at desc limit 3)',
    );
    expect(marked).toEqual([{ keys: 3 }]);
    for (const [at, key] of keys.entries()) {
      const again = await upload(key, [file(png(3, 3))]);
      expect([replayed(again), again.body.media?.slug]).toEqual([true, slugs[at]]);
    }
  });

  it('are refused for a malformed key before the body is read', async () => {
    const refused = await upload('two words', [file(png(3, 3))]);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['idempotency_key']]);
    expect(await filesToday()).toBe(0);
  });
});
