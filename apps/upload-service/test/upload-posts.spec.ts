import { eventually } from '@vitrine/testing';
import { multipart, MULTIPART_TYPE, type Part, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { UPLOAD_PATH, type UploadAnswer, Uploads } from './support/uploads';
import { type Account, useUploadHost } from './support/upload-host';

const FILES_PER_DAY = 1000;

describe('an upload with post=1', () => {
  const host = useUploadHost({ UPLOADS_PER_DAY: String(FILES_PER_DAY) });
  let account: Account;
  let uploads: Uploads;

  beforeEach(async () => {
    account = await host.createAccount();
    uploads = new Uploads(host, account.token);
  });

  const file: Part = { name: 'file', filename: 'a.png', body: png(4, 4) };
  const partsOf = (fields: readonly [string, string][]): Part[] =>
    fields.map(([name, body]) => ({ name, body }));
  const upload = (fields: readonly [string, string][], token?: string): Promise<UploadAnswer> =>
    uploads.post(multipart(...partsOf(fields), file), {}, token);
  const rows = async (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await host.database.query<Record<string, unknown>>(sql, [...values])).rows;
  const footprint = async () => ({
    ...(await uploads.footprint()),
    posts: await rows('select count(*) from posts'),
  });
  const leavesNothing = async (attempt: () => Promise<void>): Promise<void> => {
    const before = await footprint();
    await attempt();
    await eventually(async () => expect(await footprint()).toEqual(before));
  };

  // Promise [files]: `post=1` also creates a post of the file, with its texts and tags.
  it('creates a public post of the file with its texts and tags, and returns both', async () => {
    const { status, headers, body } = await upload([
      ['post', '1'],
      ['title', 'Harbour'],
      ['description', 'Two\nlines'],
      ['alt_text', 'Boats'],
      ['tags', 'Sea'],
      ['tags', 'dusk'],
    ]);
    const { slug: media } = body.media;
    expect([status, headers.get('location')]).toEqual([201, `http://api.test/api/v1/media/${media}`]);
    expect(headers.get('cache-control')).toBe('no-store');
    const post = body['post'] as { id: number; slug: string };
    expect(post).toEqual({
      id: expect.any(Number),
      slug: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
      visibility: 'public',
      page_url: `http://site.test/p/${post.slug}`,
    });
    expect(body.media).toMatchObject({ title: 'Harbour', alt_text: 'Boats', tags: ['sea', 'dusk'] });
    expect(await rows('select * from posts where id = $1', [post.id])).toEqual([
      expect.objectContaining({
        user_id: String(account.id),
        title: 'Harbour',
        description: 'Two\nlines',
        tags: ['sea', 'dusk'],
        moderation_status: 'pending',
        media_count: 1,
      }),
    ]);
    const placed = `select m.slug from post_media pm join media m on m.id = pm.media_id where pm.post_id = $1`;
    expect(await rows(placed, [post.id])).toEqual([{ slug: media }]);
    const tags =
      'select t.name from post_tags pt join tags t on t.id = pt.tag_id where post_id = $1 order by 1';
    expect(await rows(tags, [post.id])).toEqual([{ name: 'dusk' }, { name: 'sea' }]);
  });

  it.each(['hidden', 'private'])('creates a %s post, wherever the parts are', async (visibility) => {
    const fields: [string, string][] = [
      ['visibility', visibility],
      ['post', 'true'],
    ];
    for (const parts of [
      [...partsOf(fields), file],
      [file, ...partsOf(fields)],
    ]) {
      const { status, body } = await uploads.post(multipart(...parts));
      const post = body['post'] as { id: number; access_key?: string };
      expect([status, post]).toMatchObject([201, { visibility }]);
      const [row] = await rows('select visibility, access_key from posts where id = $1', [post.id]);
      expect(row).toEqual({ visibility, access_key: post.access_key ?? null });
      expect(post.access_key).toEqual(
        visibility === 'private' ? expect.stringMatching(/^[A-Za-z0-9]{32}$/) : undefined,
      );
    }
  });

  it('marks the post as adult content with is_nsfw, as its owner', async () => {
    const { body } = await upload([
      ['post', '1'],
      ['is_nsfw', 'true'],
    ]);
    const { id } = body['post'] as { id: number };
    expect(body.media).toMatchObject({ moderation_status: 'pending' });
    expect(await rows('select owner_nsfw, moderation_status from posts where id = $1', [id])).toEqual([
      { owner_nsfw: true, moderation_status: 'nsfw' },
    ]);
    const decisions = `select decided_by, to_status from moderation_decisions where subject = 'post' and subject_id = $1`;
    expect(await rows(decisions, [id])).toEqual([{ decided_by: 'owner', to_status: 'nsfw' }]);
  });

  // Promise [files]: Without a post, `is_nsfw` marks the media item.
  it('marks the media item as adult content with is_nsfw, if no post is created', async () => {
    for (const [flag, marked] of [
      ['1', true],
      ['on', true],
      ['0', false],
    ] as const) {
      const { status, body } = await upload([['is_nsfw', flag]]);
      expect([status, body['post']]).toEqual([201, undefined]);
      expect(await rows('select owner_nsfw from media where slug = $1', [body.media.slug])).toEqual([
        { owner_nsfw: marked },
      ]);
    }
  });

  // Promise [files]: Contradicting fields of an upload give 422, and nothing is stored.
  it.each<[string, [string, string][]]>([
    [
      'post_id',
      [
        ['post', '1'],
        ['post_id', 'aB3dE5f'],
      ],
    ],
    ['visibility', [['visibility', 'hidden']]],
    [
      'visibility',
      [
        ['post', '0'],
        ['visibility', 'public'],
      ],
    ],
    ['is_nsfw', [['is_nsfw', 'perhaps']]],
    ['post', [['post', 'yes']]],
    [
      'post',
      [
        ['post', '0'],
        ['post', '1'],
      ],
    ],
    [
      'visibility',
      [
        ['post', '1'],
        ['visibility', 'secret'],
      ],
    ],
    [
      'is_nsfw',
      [
        ['post', '1'],
        ['is_nsfw', 'perhaps'],
      ],
    ],
    [
      'title',
      [
        ['post', '1'],
        ['title', 'x'.repeat(256)],
      ],
    ],
  ])(
    'names %s if the parts contradict each other or break a rule, and stores nothing: %j',
    async (name, fields) => {
      await leavesNothing(async () => {
        const { status, body } = await upload(fields);
        expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [name]]);
      });
    },
  );

  it('creates no post without the field, with post=0, or with empty fields', async () => {
    for (const fields of [
      [],
      [['post', '0']],
      [
        ['post', ''],
        ['visibility', ''],
        ['is_nsfw', ''],
      ],
    ]) {
      const { status, body } = await upload(fields as [string, string][]);
      expect([status, body['post']]).toEqual([201, undefined]);
    }
    expect(await rows('select 1 from posts where user_id = $1', [account.id])).toEqual([]);
  });

  describe('of a token that may not create posts', () => {
    it.each(['1', 'on', 'True'])('is refused however the field says yes: %s', async (yes) => {
      const { token } = await host.createAccount(['upload']);
      await leavesNothing(async () => {
        const answer = await upload([['post', yes]], token);
        expect(answer.status).toBe(403);
      });
    });

    // Promise [files]: An upload with `post=1` needs the scope `write`.
    it('is refused as soon as the field is read, before the file', async () => {
      const { token } = await host.createAccount(['upload', 'read']);
      await leavesNothing(async () => {
        const connection = await RawConnection.open(host.url);
        connection.sendHead('POST', UPLOAD_PATH, {
          Authorization: `Bearer ${token}`,
          'Content-Type': MULTIPART_TYPE,
          'Content-Length': '50000000',
        });
        const body = multipart({ name: 'post', body: '1' }, { ...file, body: Buffer.alloc(4096) });
        connection.send(body.subarray(0, -1024));
        const answer = await connection.answer();
        connection.hangUp();
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          403,
          { message: 'This action is unauthorized. The token lacks the scope write.' },
        ]);
        expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="write"');
      });
    });

    it('stores nothing if the field follows the file, for API tokens and tickets', async () => {
      const [api, ticket] = [await host.createAccount(['upload']), await host.createTicket()];
      await leavesNothing(async () => {
        for (const { token } of [api, ticket]) {
          const answer = await uploads.post(multipart(file, { name: 'post', body: 'true' }), {}, token);
          expect(answer.status).toBe(403);
        }
      });
      expect((await upload([['post', 'false']], api.token)).status).toBe(201);
    });
  });

  it('leaves neither a file nor a post if the file exceeds the daily quota by then', async () => {
    await leavesNothing(async () => {
      const connection = await RawConnection.open(host.url);
      const body = multipart({ name: 'post', body: '1' }, file);
      connection.sendHead('POST', UPLOAD_PATH, {
        Authorization: `Bearer ${account.token}`,
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': String(body.length),
      });
      connection.send(body.subarray(0, -1));
      await eventually(async () => expect(await host.scratchFiles()).toHaveLength(1));
      await host.database.query(
        `insert into upload_counts (subject, day, files) values ($1, (now() at time zone 'utc')::date, $2)`,
        [`user:${account.id}`, FILES_PER_DAY],
      );
      connection.send(body.subarray(-1));
      expect((await connection.answer()).status).toBe(429);
      connection.hangUp();
    });
  });

  it('creates one post for repeated requests with one idempotency key', async () => {
    const body = multipart(
      ...partsOf([
        ['post', '1'],
        ['visibility', 'private'],
      ]),
      file,
    );
    const send = () => uploads.post(body, { 'Idempotency-Key': 'one-post' });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await rows('select slug from posts where user_id = $1', [account.id])).toHaveLength(1);
    const other = multipart(
      ...partsOf([
        ['post', '1'],
        ['visibility', 'hidden'],
      ]),
      file,
    );
    expect((await uploads.post(other, { 'Idempotency-Key': 'one-post' })).body['errors']).toHaveProperty(
      'idempotency_key',
    );
  });
});
