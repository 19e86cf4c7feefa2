import { randomSlug } from '@vitrine/domain';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Gateway } from './gateway';
import { createPerson, type Person } from './people';

/** The environment of a case. */
export interface World {
  readonly gateway: Gateway;
  readonly database: Pick<Pool, 'query'>;
  /** The owner of the item that the case is about. */
  readonly owner: Person;
}

/** Values for the parameters in an operation's path and body: ids, slugs and names, by the parameter's name. */
export type Given = Readonly<Record<string, string | number>>;

/** Stores a media item in the state after its upload and processing. */
async function storeMedia(
  { database, owner }: World,
  status = 'approved',
): Promise<{ slug: string; id: number }> {
  const slug = randomSlug();
  const { rows } = await database.query<{ id: string }>(
    `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256,
       stored_sha256, moderation_status)
     values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'), $3)
     returning id`,
    [slug, owner.id, status],
  );
  return { slug, id: Number(rows[0]?.id) };
}

/** Stores a webhook whose address can't be reached; `id` is the webhook's. */
async function storeWebhook({ database, owner }: World, disabled = false): Promise<Given> {
  const { rows } = await database.query<{ id: string; delivery: string }>(
    `with made as (
       insert into webhooks (user_id, url, events, secret, disabled_reason, disabled_at)
       values ($1, 'https://receiver.invalid/', '{media.deleted}', $2, $3, $4) returning id
     )
     insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data, status, next_attempt_at)
     select id, gen_random_uuid(), 'media.deleted', now(), '{}', 'failed', null from made
     returning webhook_id as id, id as delivery`,
    [owner.id, randomBytes(32), disabled ? 'paused' : null, disabled ? new Date() : null],
  );
  return { id: Number(rows[0]?.id), delivery: Number(rows[0]?.delivery) };
}

/** Stores a collection; `post` is a post that it can hold. */
async function storeCollection(world: World, visibility: 'private' | 'hidden'): Promise<Given> {
  const collection = randomSlug();
  await world.database.query(
    `insert into collections (slug, user_id, name, visibility) values ($1, $2, 'Fog', $3)`,
    [collection, world.owner.id, visibility],
  );
  return { collection, post: (await storePost(world)).slug };
}

async function storeToken({ database, owner }: World): Promise<Given> {
  await owner.mintToken();
  const { rows } = await database.query<{ id: string }>(
    `select id from tokens where user_id = $1 and kind = 'api' order by id desc limit 1`,
    [owner.id],
  );
  return { id: Number(rows[0]?.id) };
}

async function tokenOfAnother({ database }: World, kind: 'session' | 'api'): Promise<Given> {
  const { id, username, mintToken } = await createPerson(database);
  await mintToken();
  const { rows } = await database.query<{ id: string }>(
    'select id from tokens where user_id = $1 and kind = $2',
    [id, kind],
  );
  return { username, id: Number(rows[0]?.id) };
}

interface StoredPost {
  readonly id: number;
  readonly slug: string;
  readonly mediaSlug: string;
  readonly accessKey: string;
}

/** Stores a post with two media. */
async function storePost(
  world: World,
  { visibility = 'public', status = 'approved' } = {},
): Promise<StoredPost> {
  const { database, owner } = world;
  const media = [await storeMedia(world), await storeMedia(world)];
  const accessKey = randomBytes(16).toString('hex');
  const slug = randomSlug();
  const { rows } = await database.query<{ id: string }>(
    `insert into posts (slug, user_id, title, visibility, access_key, moderation_status, media_count, listing)
     values ($1, $2, 'Harbour', $3, $4, $5, 2, $6) returning id`,
    [
      slug,
      owner.id,
      visibility,
      visibility === 'private' ? accessKey : null,
      status,
      visibility === 'public' && status === 'approved' ? 'safe' : 'unlisted',
    ],
  );
  const id = Number(rows[0]?.id);
  await database.query(
    `insert into post_media (post_id, media_id, position)
     select $1, media_id, position - 1 from unnest($2::bigint[]) with ordinality as m (media_id, position)`,
    [id, media.map((one) => one.id)],
  );
  return { id, slug, mediaSlug: media[0]?.slug ?? '', accessKey };
}

async function storeComment({ database }: World, post: StoredPost, author: Person): Promise<Given> {
  const { rows } = await database.query<{ id: string }>(
    `insert into comments (post_id, user_id, content) values ($1, $2, 'What a light!') returning id`,
    [post.id, author.id],
  );
  await database.query('update posts set comment_count = comment_count + 1 where id = $1', [post.id]);
  return { comment: Number(rows[0]?.id), post: post.slug, key: post.accessKey };
}

async function commentElsewhere(world: World): Promise<Given> {
  const owner = await createPerson(world.database);
  return storeComment(world, await storePost({ ...world, owner }), world.owner);
}

const postGiven = ({ id, slug, accessKey }: StoredPost): Given => ({
  post: slug,
  slug,
  post_id: id,
  key: accessKey,
});

/** The items that operations act on. Rows of the table name them; each case creates its own. */
export const THINGS = {
  nothing: async (): Promise<Given> => ({}),
  tag: async ({ database }: World): Promise<Given> => {
    await database.query(`insert into tags (name, post_count) values ('walks', 1) on conflict do nothing`);
    return { tag: 'walks' };
  },
  'own account': async ({ owner }: World): Promise<Given> => ({ username: owner.username }),
  'account of a moderator': async ({ database }: World): Promise<Given> => ({
    username: (await createPerson(database, { role: 'moderator' })).username,
  }),
  'account of an admin': async ({ database }: World): Promise<Given> => ({
    username: (await createPerson(database, { role: 'admin' })).username,
  }),
  'reported queue': async ({ database }: World): Promise<Given> => {
    await database.query(
      `insert into bus_reports (queue, waiting, dead) values ('upload-service.media.deleted', 0, 1) on conflict do nothing`,
    );
    return {};
  },
  "another member's session": (world: World): Promise<Given> => tokenOfAnother(world, 'session'),
  "another member's token": (world: World): Promise<Given> => tokenOfAnother(world, 'api'),
  application: async ({ database }: World): Promise<Given> => {
    const { id, username } = await createPerson(database);
    await database.query(`insert into applications (user_id, words) values ($1, 'Please.')`, [id]);
    return { username };
  },
  'no provider': async (): Promise<Given> => ({ name: 'none' }),
  'own identity': async ({ database, owner }: World): Promise<Given> => {
    const { rows } = await database.query<{ id: string }>(
      `insert into identities (user_id, issuer, subject) values ($1, 'https://id.example.org', $2) returning id`,
      [owner.id, randomSlug()],
    );
    return { id: Number(rows[0]?.id) };
  },
  'own invite': async ({ database, owner }: World): Promise<Given> => {
    const { rows } = await database.query<{ id: string }>(
      `insert into invites (created_by, code_sha256, uses, expires_at) values ($1, $2, 1, now() + interval '1 day')
       returning id`,
      [owner.id, randomBytes(32)],
    );
    return { id: Number(rows[0]?.id) };
  },
  'own passkey': async ({ database, owner }: World): Promise<Given> => {
    const { rows } = await database.query<{ id: string }>(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       values ($1, $2, '', 0, '{}', 'Phone') returning id`,
      [owner.id, randomBytes(16)],
    );
    return { id: Number(rows[0]?.id) };
  },
  'own media': async (world: World): Promise<Given> => {
    const { slug, id } = await storeMedia(world);
    return { slug, media_id: id };
  },
  'own rejected media': async (world: World): Promise<Given> => ({
    slug: (await storeMedia(world, 'rejected')).slug,
  }),
  'own post': async (world: World): Promise<Given> => postGiven(await storePost(world)),
  'own hidden post': async (world: World): Promise<Given> =>
    postGiven(await storePost(world, { visibility: 'hidden' })),
  'own private post': async (world: World): Promise<Given> =>
    postGiven(await storePost(world, { visibility: 'private' })),
  'own rejected post': async (world: World): Promise<Given> =>
    postGiven(await storePost(world, { status: 'rejected' })),
  'own post and a media item': async (world: World): Promise<Given> => ({
    ...postGiven(await storePost(world)),
    media_id: (await storeMedia(world)).id,
  }),
  /** `slug` is that of the media. */
  'media of own post': async (world: World): Promise<Given> => {
    const { slug, mediaSlug } = await storePost(world);
    return { post: slug, slug: mediaSlug };
  },
  'own private collection': (world: World): Promise<Given> => storeCollection(world, 'private'),
  'own hidden collection': (world: World): Promise<Given> => storeCollection(world, 'hidden'),
  "own comment on another user's post": commentElsewhere,
  "another user's comment on own post": async (world: World): Promise<Given> =>
    storeComment(world, await storePost(world), await createPerson(world.database)),
  'comment on own private post': async (world: World): Promise<Given> =>
    storeComment(world, await storePost(world, { visibility: 'private' }), world.owner),
  'reported media': async (world: World): Promise<Given> => {
    const { slug } = await storeMedia(world);
    const { session } = await createPerson(world.database);
    await world.gateway.ask('POST', '/reports', {
      token: session,
      body: { type: 'media', target: slug, reason: 'spam' },
    });
    return { type: 'media', target: slug };
  },
  'own notification': async ({ database, owner }: World): Promise<Given> => {
    const { id } = await createPerson(database);
    const { rows } = await database.query<{ id: string }>(
      `insert into notifications (user_id, kind, actor_id) values ($1, 'follow', $2) returning id`,
      [owner.id, id],
    );
    return { notification: Number(rows[0]?.id) };
  },
  'own report': async ({ database, owner }: World): Promise<Given> => {
    const { id } = await createPerson(database);
    const { rows } = await database.query<{ id: string }>(
      `insert into reports (reporter_id, type, user_id, reason) values ($1, 'user', $2, 'spam') returning id`,
      [owner.id, id],
    );
    return { id: Number(rows[0]?.id) };
  },
  'banned hash': async ({ database }: World): Promise<Given> => {
    const { rows } = await database.query<{ id: string }>(
      `insert into banned_hashes (kind, hash, reason) values ('sha256', $1, 'Spam.') returning id`,
      [randomBytes(32)],
    );
    return { id: Number(rows[0]?.id) };
  },
  'own token': storeToken,
  'own webhook': (world: World): Promise<Given> => storeWebhook(world),
  'own paused webhook': (world: World): Promise<Given> => storeWebhook(world, true),
  'own session': async ({ database, owner }: World): Promise<Given> => {
    const { rows } = await database.query<{ id: string }>(
      `select id from tokens where user_id = $1 and kind in ('session', 'guest')`,
      [owner.id],
    );
    return { id: Number(rows[0]?.id) };
  },
} satisfies Readonly<Record<string, (world: World) => Promise<Given>>>;

export type Thing = keyof typeof THINGS;
