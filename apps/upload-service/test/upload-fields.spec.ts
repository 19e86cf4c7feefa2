import { randomSlug } from '@vitrine/domain';
import { createHash } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { MULTIPART_TYPE, multipart, type Part, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { type UploadAnswer, Uploads } from './support/uploads';
import { type Account, useUploadHost } from './support/upload-host';

describe('an upload', () => {
  const host = useUploadHost();
  let account: Account;
  let uploads: Uploads;

  beforeAll(async () => {
    account = await host.createAccount();
    uploads = new Uploads(host, account.token);
  });

  describe('with unlisted', () => {
    const withUnlisted = (value: string, given: Partial<Part> = {}): Promise<UploadAnswer> =>
      uploads.post(
        multipart(
          { name: 'file', filename: 'a.png', body: png(4, 4) },
          { name: 'unlisted', body: value, ...given },
        ),
      );
    const unlistedInRow = async (slug: string): Promise<boolean> => {
      const { rows } = await host.database.query<{ unlisted: boolean }>(
        'select unlisted from media where slug = $1',
        [slug],
      );
      return rows[0]?.unlisted ?? false;
    };

    it.each([
      ['true', true],
      ['1', true],
      ['True', true],
      ['false', false],
    ])('stores %s and shows it to the owner', async (value, expected) => {
      for (const given of [{}, { filename: 'x', type: 'application/octet-stream' }]) {
        const { status, body } = await withUnlisted(value, given);
        expect([status, body.media['unlisted'], body.media['listed']]).toEqual([201, expected, false]);
        expect(await unlistedInRow(body.media.slug)).toBe(expected);
      }
    });

    it('is false if it is absent', async () => {
      expect((await uploads.file(png(4, 4))).body.media).toMatchObject({ unlisted: false });
    });

    it.each(['', 'yes', 'x'.repeat(2_000)])('refuses any other value: %s', async (value) => {
      const before = await uploads.footprint();
      const { status, body } = await withUnlisted(value);
      expect([status, body['errors']]).toEqual([
        422,
        { unlisted: ['The unlisted field must be true or false.'] },
      ]);
      await eventually(async () => expect(await uploads.footprint()).toEqual(before));
    });
  });

  describe('with texts and tags', () => {
    const file: Part = { name: 'file', filename: 'a.png', body: png(4, 4) };
    const withTexts = (...texts: [string, string][]): Promise<UploadAnswer> =>
      uploads.post(multipart(...texts.map(([name, body]) => ({ name, body })), file));

    it('stores them, with tags written in every form, and ignores empty ones', async () => {
      const { status, body } = await withTexts(
        ['title', 'Cafe\u0301'],
        ['description', 'Two\nlines'],
        ['alt_text', ''],
        ['tags', 'Harbour'],
        ['tags', 'dusk'],
        ['tags', 'harbour'],
      );
      expect(status).toBe(201);
      const shown = { title: 'Caf\u00e9', description: 'Two\nlines', alt_text: null };
      expect(body.media).toMatchObject({ ...shown, tags: ['harbour', 'dusk'] });
      const { rows } = await host.database.query(
        `select t.name from media_tags mt join tags t on t.id = mt.tag_id join media m on m.id = mt.media_id
         where m.slug = $1 order by t.name`,
        [body.media.slug],
      );
      expect(rows.map(({ name }) => name)).toEqual(['dusk', 'harbour']);
      for (const name of ['tags[]', 'tags[0]']) {
        expect((await withTexts([name, 'dusk'])).body.media).toMatchObject({ tags: ['dusk'] });
      }
    });

    it.each([
      ['title', 'x'.repeat(256)],
      ['title', 'a\u0000b'],
      ['description', 'x'.repeat(5_001)],
      ['alt_text', 'x'.repeat(70_000)],
    ])('refuses a %s that breaks its rule, and stores nothing', async (name, value) => {
      const before = await uploads.footprint();
      const { status, body } = await withTexts([name, value]);
      expect(status).toBe(422);
      expect(body['errors']).toHaveProperty(name);
      await eventually(async () => expect(await uploads.footprint()).toEqual(before));
    });
  });

  it('accepts the JSON that FilePond sends as `file` before and after the file', async () => {
    const metadata: Part = { name: 'file', body: '{"crop":null}' };
    const file: Part = { name: 'file', filename: 'a.png', body: png(4, 4) };
    for (const parts of [
      [metadata, file],
      [file, metadata],
      [metadata, { name: 'file', body: png(4, 4) }],
    ]) {
      expect((await uploads.post(multipart(...parts))).status).toBe(201);
    }
    for (const parts of [[metadata], [metadata, metadata], [file, metadata, file]]) {
      expect((await uploads.post(multipart(...parts))).body['errors']).toHaveProperty('file');
    }
  });

  describe('with post_id', () => {
    const createPost = async (owner: number | null): Promise<{ id: string; slug: string }> => {
      const slug = randomSlug();
      const { rows } = await host.database.query(
        'insert into posts (slug, user_id) values ($1, $2) returning id',
        [slug, owner],
      );
      return { id: rows[0].id, slug };
    };
    const file: Part = { name: 'file', filename: 'a.png', body: png(4, 4) };
    const withPost = (value: string, order: 'before' | 'after' = 'after') => {
      const post_ = { name: 'post_id', body: value };
      return uploads.post(order === 'before' ? multipart(post_, file) : multipart(file, post_));
    };
    const mediaOf = async (postId: string): Promise<string[]> => {
      const { rows } = await host.database.query(
        'select m.slug from post_media pm join media m on m.id = pm.media_id where pm.post_id = $1 order by position',
        [postId],
      );
      return rows.map((row) => row.slug);
    };

    // Promise [files]: `post_id` adds the media item at the end of a post, which is named by slug or id.
    it('adds the media item at the end, by slug or id, in any order of the parts', async () => {
      const target = await createPost(account.id);
      const first = await withPost(target.slug, 'before');
      const second = await withPost(target.id, 'after');
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(await mediaOf(target.id)).toEqual([first.body.media.slug, second.body.media.slug]);
      const { rows } = await host.database.query('select * from posts where id = $1', [target.id]);
      expect(rows[0]).toMatchObject({ media_count: 2, moderation_status: 'pending' });
    });

    it.each([{}, { filename: 'post_id' }])('accepts post_id sent as a file part: %j', async (given) => {
      const target = await createPost(account.id);
      const part: Part = { name: 'post_id', body: target.slug, type: 'application/octet-stream', ...given };
      const { body } = await uploads.post(multipart(part, file));
      expect(await mediaOf(target.id)).toEqual([body.media.slug]);
    });

    it('adds many at the same time without losing one', async () => {
      const target = await createPost(account.id);
      const answers = await Promise.all(Array.from({ length: 12 }, () => withPost(target.slug)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201));
      expect((await mediaOf(target.id)).sort()).toEqual(
        answers.map((answer) => answer.body.media.slug).sort(),
      );
    });

    // Promise [files]: A `post_id` of an unknown post, or of a post of another account, gives 422.
    it('refuses unknown posts and posts of other accounts, and stores nothing', async () => {
      const other = await host.createAccount();
      const [foreign, guests] = [await createPost(other.id), await createPost(null)];
      const before = await uploads.footprint();
      for (const value of [
        foreign.slug,
        foreign.id,
        guests.slug,
        'aaaaaaa',
        '999999999',
        '-1',
        '1e3',
        'x'.repeat(5000),
        "' or 1=1 --",
      ]) {
        const answer = await withPost(value);
        expect([answer.status, answer.body]).toEqual([
          422,
          {
            message: 'The selected post_id is invalid.',
            errors: { post_id: ['The selected post_id is invalid.'] },
          },
        ]);
      }
      await eventually(async () => expect(await uploads.footprint()).toEqual(before));
    });

    it('refuses the 51st media item of a post', async () => {
      const target = await createPost(account.id);
      await host.database.query(
        `with added as (
           insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
           select 'full' || lpad(n::text, 3, '0'), $2, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('a'), sha256('a')
           from generate_series(1, 50) n returning id)
         insert into post_media select $1, id, row_number() over () from added`,
        [target.id, account.id],
      );
      await host.database.query('update posts set media_count = 50 where id = $1', [target.id]);
      expect((await withPost(target.slug)).body).toMatchObject({ errors: { post_id: [expect.any(String)] } });
    });
  });

  describe('of a banned file', () => {
    const ban = (bytes: Uint8Array) =>
      host.database.query(`insert into banned_hashes (kind, hash, reason) values ('sha256', $1, 'test')`, [
        createHash('sha256').update(bytes).digest(),
      ]);
    const ANSWER = 'This file matches a banned hash and cannot be uploaded.';

    // Promise [moderation]: A file with a banned hash gives 451, with and without its metadata, and nothing
    // is stored.
    it.each([
      ['as received', png(21, 21, { tail: 'marked' }), png(21, 21, { tail: 'marked' })],
      ['as stored', png(22, 22), png(22, 22, { tail: 'another tail' })],
    ])('returns 451 and stores nothing: %s', async (_, banned, sent) => {
      await ban(banned);
      const before = await uploads.footprint();
      const answer = await uploads.file(sent);
      expect([answer.status, answer.body]).toEqual([451, { error: ANSWER, message: ANSWER }]);
      await eventually(async () => expect(await uploads.footprint()).toEqual(before));
    });
  });

  describe('of an account with a quota', () => {
    const setQuota = async (owner: Account, quota: { bytes?: number; files?: number }): Promise<void> => {
      await host.database.query('insert into account_quotas (user_id, bytes, files) values ($1, $2, $3)', [
        owner.id,
        quota.bytes ?? null,
        quota.files ?? null,
      ]);
    };
    const stored = async (owner: Account): Promise<string[]> => {
      const { rows } = await host.database.query<{ slug: string }>(
        'select slug from media where user_id = $1',
        [owner.id],
      );
      return rows.map(({ slug }) => `${slug}.png`).sort();
    };

    it('accepts as many simultaneous files as fit, and leaves nothing of the others', async () => {
      const owner = await host.createAccount();
      await setQuota(owner, { files: 6 });
      const before = await host.storedFiles();
      const own = new Uploads(host, owner.token);
      const answers = await Promise.all(Array.from({ length: 20 }, () => own.file(png(30, 20))));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(14);
      for (const { status, body } of refused) {
        expect([status, body]).toEqual([507, { message: expect.any(String), code: 'quota_files' }]);
      }
      const added = (await host.storedFiles()).filter((name) => !before.includes(name));
      expect(added.sort()).toEqual(await stored(owner));
      expect(added).toHaveLength(6);
      expect((await host.database.query('select slug from pending_files')).rows).toEqual([]);
      await eventually(async () => expect(await host.scratchFiles()).toEqual([]));
    });

    it('gives back what is deleted', async () => {
      const owner = await host.createAccount();
      const size = png(30, 20).length;
      await setQuota(owner, { bytes: size });
      const own = new Uploads(host, owner.token);
      expect((await own.file(png(30, 20))).status).toBe(201);
      expect((await own.file(png(1, 1))).status).toBe(507);
      await host.database.query('delete from media where user_id = $1', [owner.id]);
      expect((await own.file(png(30, 20))).status).toBe(201);
    });

    // Promise [files]: An upload beyond a quota gives 507 before its body is read, if `Content-Length` shows
    // the size.
    it.each([
      ['without its body', 1_000_000],
      ['if nothing is left', 300],
    ])('is refused by its Content-Length, %s', async (_, length) => {
      const owner = await host.createAccount();
      await setQuota(owner, { bytes: length > 1000 ? 500_000 : 0 });
      const connection = await RawConnection.open(host.url);
      connection.sendHead('POST', '/api/v1/media', {
        Authorization: `Bearer ${owner.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': String(length),
        Expect: '100-continue',
      });
      const { status, body } = await connection.answer();
      expect([status, JSON.parse(body)]).toMatchObject([507, { code: 'quota_bytes' }]);
      expect(connection.text).not.toContain('100 Continue');
      connection.hangUp();
    });

    it('returns the kept answer of a repeated request although the quota is used up', async () => {
      const owner = await host.createAccount();
      await setQuota(owner, { files: 1 });
      const send = (): Promise<UploadAnswer> => {
        const body = multipart({ name: 'file', filename: 'a', body: png(3, 3) });
        return uploads.post(body, { 'Idempotency-Key': 'quota-1' }, owner.token);
      };
      expect((await send()).status).toBe(201);
      const again = await send();
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    });
  });
});
